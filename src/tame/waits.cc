// tame: twait(r, i) and twait{}, and what may not leave a twait{}.
#include <algorithm>
#include <array>

#include "tame/constructs.h"

namespace thalweg::tame {

namespace {

struct Written {
    bool is_volatile = false;
    size_t open = nowhere;  // ( or {
};

// What may stand between: volatile, ["a description"]. The description stays, as a comment.
Written head_of(Work &work, size_t at) {
    const Source &source = work.source;
    Written written;
    size_t i = source.next(at);
    if (source.is(i, "volatile")) {
        written.is_volatile = true;
        work.remove_with_space(i);
        i = source.next(i);
    }
    if (source.is(i, "[")) {
        if (source.text({i, source.partner(i)}).find("*/") != std::string::npos)
            work.refuse(i, "*/ in a description, which becomes a comment");
        work.put(i, "/* ");
        work.put(source.partner(i), " */");
        if (source[source.partner(i) + 1].kind != TokenKind::space)
            work.put_after(source.partner(i), " ");
        i = source.next(source.partner(i));
    }
    if (source.is(i, "(") || source.is(i, "{"))
        written.open = i;
    return written;
}

// twait(r, i) -> i = co_await r; with several ids std::tie(i, j) = co_await r.
size_t rewrite_any(Work &work, size_t at, size_t open, const Place &place) {
    const Source &source = work.source;
    const size_t close = source.partner(open);
    const std::vector<Range> parts = source.parts({open + 1, close});
    if (parts.empty()) {
        work.refuse(at, "twait() of no rendezvous");
        return close + 1;
    }
    std::string ids;
    for (size_t i = 1; i < parts.size(); ++i)
        ids += (i == 1 ? "" : ", ") + source.text(source.trimmed(parts[i]));
    if (parts.size() > 2)
        ids = "std::tie(" + ids + ")";
    const bool is_plain = is_chain(source, parts[0]);
    work.put(at, (ids.empty() ? "" : ids + " = ") + "co_await" + (is_plain ? " " : " ("));
    for (size_t i = at + 1; i <= open; ++i)
        if (source[i].kind == TokenKind::space || i == open)
            work.put(i, "");
    work.remove({source.trimmed(parts[0]).last, close});
    work.put(close, is_plain ? "" : ")");
    place.function->blocks = true;
    work.rewrite(parts[0], place);
    return close + 1;
}

bool is_type_word(std::string_view word) {
    static constexpr std::array<std::string_view, 24> words = {
        "auto",     "const",  "volatile", "static", "struct", "class",  "union",     "enum",
        "typename", "using",  "typedef",  "int",    "char",   "bool",   "short",     "long",
        "float",    "double", "unsigned", "signed", "void",   "size_t", "constexpr", "wchar_t"};
    return std::find(words.begin(), words.end(), word) != words.end();
}

bool is_control(std::string_view word) {
    static constexpr std::array<std::string_view, 12> words = {"if",    "for",    "while", "do",    "switch", "case",
                                                               "throw", "delete", "new",   "break", "try",    "else"};
    return std::find(words.begin(), words.end(), word) != words.end();
}

// A statement that may declare something: two names in a row, or a name and then < * or &.
bool may_declare(const Source &source, size_t at, size_t last) {
    if (!source.is_word(at) || is_control(source.text(at)))
        return false;
    if (is_type_word(source.text(at)))
        return true;
    for (size_t i = source.next(at); i < last; i = source.next(i)) {
        if (source.is(i, "(") || source.is(i, "["))
            i = source.partner(i);
        else if (source.is_word(i) && source.is_word(source.previous(i)))
            return true;
        else if (source.is(i, "<"))
            return !source.is(i + 1, "<");
        else if (source.is(i, "*") || source.is(i, "&"))
            return true;
        else if (!source.is_word(i) && !source.is(i, "::") && !source.is(i, ".") && !source.is(i, "->"))
            return false;
    }
    return false;
}

// What is declared in a twait{} is gone before the function blocks.
bool declares(const Source &source, Range body) {
    for (size_t i = source.skip(body.first); i < body.last;) {
        if (may_declare(source, i, body.last))
            return true;
        i = source.skip(std::max(source.behind_statement(i, body.last), i + 1));
    }
    return false;
}

std::string gather_line(Work &work, const std::string &all, bool is_volatile) {
    if (work.is_prompt()) {
        work.use("prompt");
        return fmt::format("prompt<gather> {};", all);
    }
    if (work.syntax != Syntax::tamer)
        return fmt::format("gather {};", all);
    const std::string_view kind = is_volatile ? "silent" : "lenient";
    work.use(kind);
    return fmt::format("{}<gather> {};", kind, all);
}

// { gather all; ... co_await all; }
void write_block(Work &work, Range body, const std::string &made, const std::string &awaited) {
    const Source &source = work.source;
    const size_t open = body.first - 1, close = body.last;
    if (declares(source, body)) {
        work.put_after(open, " " + made + " {");
        work.put_before(close, "} " + awaited + " ");
        return;
    }
    const size_t first = source.skip(body.first);
    const size_t start = source.line_start(close);
    const bool has_lines = first < close && source.line(first) != source.line(open);
    const std::string indent(has_lines ? source.indent(first) : "");
    work.put_after(open, (has_lines ? "\n" + indent : " ") + made);
    if (source.skip(start) == close && has_lines)
        work.put_before(start, indent + awaited + "\n");
    else
        work.put_before(close, (source[close - 1].kind == TokenKind::space ? "" : " ") + awaited + " ");
}

size_t rewrite_all(Work &work, size_t at, const Written &written, const Place &place) {
    const Source &source = work.source;
    Wait wait;
    wait.body = {written.open + 1, source.partner(written.open)};
    wait.all = work.gather_name();
    work.use("gather");
    work.remove_with_space(at);
    Place inner = place;
    inner.wait = &wait;
    work.rewrite(wait.body, inner);
    write_block(work, wait.body, gather_line(work, wait.all, written.is_volatile), "co_await " + wait.all + ";");
    place.function->blocks = true;
    return wait.body.last + 1;
}

}  // namespace

size_t rewrite_wait(Work &work, size_t at, const Place &place) {
    const Written written = head_of(work, at);
    const bool is_old = !work.source.is(at, "twait");
    const bool fits = !is_old || work.source.is(written.open, work.source.is(at, "BLOCK") ? "{" : "(");
    if (written.open == nowhere || !fits || (is_old && !place.function))
        return at + 1;
    if (!place.function) {
        work.refuse(at, "a wait in a function that is not tamed, which blocks the thread that runs it: make it tamed, "
                        "or use wait()");
        return at + 1;
    }
    if (!place.is_own || place.wait) {
        work.refuse(at, place.is_own ? "a wait inside twait{}: it would wait before the events of the block are made"
                                     : "a wait in a lambda or a class within a tamed function");
        return at + 1;
    }
    return work.source.is(written.open, "(") ? rewrite_any(work, at, written.open, place)
                                             : rewrite_all(work, at, written, place);
}

size_t note_inner(Work &work, size_t at, const Place &place) {
    if (place.wait)
        place.wait->inner.push_back(
            {{at, work.source.behind_statement(at, place.wait->body.last)}, !work.source.is(at, "switch")});
    return at + 1;
}

size_t rewrite_leaving(Work &work, size_t at, const Place &place) {
    if (!place.wait || !place.is_own)
        return at + 1;
    const bool is_continue = work.source.is(at, "continue");
    const bool is_goto = work.source.is(at, "goto");
    const bool stays = std::any_of(place.wait->inner.begin(), place.wait->inner.end(), [&](const Wait::Inner &inner) {
        return at >= inner.range.first && at < inner.range.last && (inner.takes_continue || !is_continue);
    });
    if (is_goto || !stays)
        work.refuse(at,
                    fmt::format("{} out of twait{{}}: in Tame it leaves the block that the translator has made, and "
                                "not the loop that it seems to leave",
                                work.source.text(at)));
    return at + 1;
}

}  // namespace thalweg::tame
