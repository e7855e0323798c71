// tame: a source's tokens with what belongs together in them.
#include "tame/source.h"

namespace thalweg::tame {

namespace {

// Template arguments nest less deep in anything a person writes; what goes deeper is a row of comparisons, or hostile.
constexpr size_t deepest_angle = 64;

}  // namespace

Source::Source(std::string_view text)
    : tokens_(tokens_of(text)), partners_(tokens_.size(), nowhere), off_(tokens_.size(), false) {
    match_brackets();
    find_off();
}

bool Source::is_significant(size_t at) const {
    const TokenKind kind = tokens_[at].kind;
    return kind != TokenKind::space && kind != TokenKind::newline && kind != TokenKind::comment &&
           kind != TokenKind::directive;
}

void Source::match_brackets() {
    static constexpr std::string_view opening = "([{", closing = ")]}";
    std::vector<size_t> open;
    for (size_t i = 0; i < size() && alone_ == nowhere; ++i) {
        if (tokens_[i].kind != TokenKind::sign || tokens_[i].text.size() != 1)
            continue;
        const char letter = tokens_[i].text[0];
        if (opening.find(letter) != std::string_view::npos)
            open.push_back(i);
        if (open.size() > deepest_nesting && too_deep_ == nowhere)
            too_deep_ = i;
        const size_t which = closing.find(letter);
        if (which == std::string_view::npos)
            continue;
        if (open.empty() || tokens_[open.back()].text[0] != opening[which]) {
            alone_ = i;
            return;
        }
        partners_[i] = open.back();
        partners_[open.back()] = i;
        open.pop_back();
    }
    if (!open.empty())
        alone_ = open.back();
}

void Source::find_off() {
    bool off = false;
    for (size_t i = 0; i < size(); ++i) {
        if (tokens_[i].kind == TokenKind::comment) {
            const size_t begins = tokens_[i].text.rfind("TAME_OFF"), ends = tokens_[i].text.rfind("TAME_ON");
            if (begins != std::string_view::npos || ends != std::string_view::npos)
                off = ends == std::string_view::npos || (begins != std::string_view::npos && begins > ends);
        }
        off_[i] = off;
    }
}

size_t Source::skip(size_t at) const {
    while (at < size() && !is_significant(at))
        ++at;
    return at < size() ? at : size();
}

size_t Source::previous(size_t at) const {
    while (at-- > 0)
        if (is_significant(at))
            return at;
    return nowhere;
}

Range Source::trimmed(Range range) const {
    range.first = skip(range.first);
    if (range.first >= range.last)
        return {range.last, range.last};
    const size_t end = previous(range.last);
    return {range.first, end + 1};
}

std::string Source::text(Range range) const {
    std::string result;
    for (size_t i = range.first; i < range.last; ++i)
        result += tokens_[i].text;
    return result;
}

size_t Source::behind_angle(size_t at, size_t last) const {
    size_t depth = 0;
    for (size_t i = at; i < last; i = next(i)) {
        if (is(i, "<") && ++depth > deepest_angle)
            return nowhere;
        if (is(i, ">") && --depth == 0)
            return i + 1;
        if (is(i, ";") || is(i, "{"))
            return nowhere;
        if (partner(i) != nowhere && partner(i) > i)
            i = partner(i);
    }
    return nowhere;
}

std::vector<Range> Source::parts(Range range, char at) const {
    std::vector<Range> result;
    if (trimmed(range).is_empty())
        return result;
    const std::string_view comma(&at, 1);
    size_t first = range.first;
    for (size_t i = skip(range.first); i < range.last; i = next(i)) {
        if (is(i, comma)) {
            result.push_back({first, i});
            first = i + 1;
        } else if (partner(i) != nowhere && partner(i) > i && partner(i) < range.last) {
            i = partner(i);
        } else if (is(i, "<") && previous(i) != nowhere && is_word(previous(i))) {
            const size_t behind = behind_angle(i, range.last);
            i = behind == nowhere ? i : behind - 1;
        }
    }
    result.push_back({first, range.last});
    return result;
}

size_t Source::behind_statement(size_t at, size_t last, size_t depth) const {
    at = skip(at);
    if (at >= last || depth > deepest_nesting)
        return last;
    if (is(at, "{"))
        return partner(at) + 1;
    const bool is_do = is(at, "do");
    if (is_do)
        at = behind_statement(next(at), last, depth + 1);
    const bool has_head = is(at, "if") || is(at, "for") || is(at, "while") || is(at, "switch");
    if (has_head && !is_do) {
        const bool may_have_else = is(at, "if");
        size_t head = next(at);
        if (is(head, "constexpr"))
            head = next(head);
        if (!is(head, "(") || partner(head) == nowhere)
            return last;
        size_t behind = behind_statement(partner(head) + 1, last, depth + 1);
        if (may_have_else && is(skip(behind), "else"))
            behind = behind_statement(next(skip(behind)), last, depth + 1);
        return behind;
    }
    for (size_t i = at; i < last; i = next(i)) {
        if (is(i, ";"))
            return i + 1;
        if (partner(i) != nowhere && partner(i) > i)
            i = partner(i);
    }
    return last;
}

bool Source::holds_word(std::string_view word) const {
    for (const Token &token : tokens_)
        if ((token.kind == TokenKind::word && token.text == word) ||
            (token.kind == TokenKind::directive && token.text.find(word) != std::string_view::npos))
            return true;
    return false;
}

size_t Source::enclosing(size_t at) const {
    for (size_t i = previous(at); i != nowhere; i = previous(i)) {
        if (partner(i) == nowhere)
            continue;
        if (partner(i) > i)
            return i;
        i = partner(i);
    }
    return nowhere;
}

size_t Source::line_start(size_t at) const {
    while (at > 0 && tokens_[at - 1].kind != TokenKind::newline)
        --at;
    return at;
}

std::string_view Source::indent(size_t at) const {
    const size_t start = line_start(at);
    return start < size() && tokens_[start].kind == TokenKind::space ? tokens_[start].text : std::string_view();
}

}  // namespace thalweg::tame
