// tame: the old libraries' headers, and where the names of ours are declared.
#include <algorithm>
#include <array>
#include <set>
#include <utility>
#include <vector>

#include "tame/constructs.h"

namespace thalweg::tame {

namespace {

// What an #include names; empty: it is another directive.
std::string_view included(std::string_view directive) {
    const size_t word = directive.find_first_not_of(" \t", 1);
    if (word == std::string_view::npos || !directive.substr(word).starts_with("include"))
        return {};
    const size_t open = directive.find_first_of("<\"", word);
    if (open == std::string_view::npos)
        return {};
    const size_t close = directive.find_first_of(">\"", open + 1);
    return directive.substr(open + 1, close == std::string_view::npos ? close : close - open - 1);
}

bool is_tame_header(std::string_view name) {
    static constexpr std::array<std::string_view, 7> names = {
        "tame_io.h", "tamer/adapter.hh", "tame.h", "tamer/tamer.hh", "tamer.hh", "tame_event.h", "tame_core.h"};
    for (const std::string_view one : names)
        if (name == one)
            return true;
    return false;
}

// What would translate a file wrongly if it stood in a macro.
bool holds_tame(std::string_view directive) {
    static constexpr std::array<std::string_view, 5> words = {"twait", "tvars", "mkevent", "make_event", "tamed "};
    for (const std::string_view word : words)
        if (directive.find(word) != std::string_view::npos)
            return true;
    return false;
}

// The directive's words: its own, then those of its condition or its text.
std::vector<std::string_view> words_of(std::string_view directive) {
    std::vector<std::string_view> words;
    for (const Token &token : tokens_of(directive.substr(1)))
        if (token.kind == TokenKind::word)
            words.push_back(token.text);
    return words;
}

std::set<std::string_view> defined_in(const Source &source) {
    std::set<std::string_view> names;
    for (size_t i = 0; i < source.size(); ++i) {
        if (source[i].kind != TokenKind::directive)
            continue;
        const std::vector<std::string_view> words = words_of(source.text(i));
        if (words.size() > 1 && words[0] == "define")
            names.insert(words[1]);
    }
    return names;
}

// tamer's headers define TAMER_DEBUG and the like. Ours don't: without a word the other side of the #if would be compiled.
void refuse_condition(Work &work, size_t at, const std::set<std::string_view> &own) {
    const std::vector<std::string_view> words = words_of(work.source.text(at));
    const bool is_condition = !words.empty() && (words[0].starts_with("if") || words[0].starts_with("elif"));
    for (size_t i = 1; is_condition && i < words.size(); ++i)
        if (words[i].starts_with("TAMER_") && !own.contains(words[i]))
            work.refuse(at,
                        fmt::format("{}, which tamer's headers define or not, and ours don't know: leave the side of "
                                    "the #{} that is meant",
                                    words[i], words[0]));
}

std::string include_lines(const Work &work) {
    return std::string("#include <thalweg/tame.h>") + (work.uses_loop() ? "\n#include <thalweg/loop.h>" : "");
}

// The #includes before everything else; names are declared behind the last of them that stands in the same #if.
struct Includes {
    size_t tame = nowhere;
    size_t first = nowhere;
    size_t last = nowhere;
};

// How many #if a directive opens or closes.
int depth_change(std::string_view directive) {
    const size_t word = directive.find_first_not_of(" \t", 1);
    const std::string_view rest = word == std::string_view::npos ? std::string_view() : directive.substr(word);
    return rest.starts_with("if") ? 1 : rest.starts_with("endif") ? -1 : 0;
}

void take_header(Work &work, size_t at, std::string_view name, Includes &found) {
    if (is_tame_header(name)) {
        work.put(at, found.tame == nowhere ? include_lines(work) : "");
        found.tame = found.tame == nowhere ? at : found.tame;
    } else if (name.starts_with("tamer/") || name.starts_with("tame_")) {
        work.refuse(at, fmt::format("{}, of the old library: no counterpart", name));
    }
    found.first = found.first == nowhere ? at : found.first;
}

Includes find_includes(Work &work) {
    const Source &source = work.source;
    const size_t code = source.skip(0);
    Includes found;
    std::vector<std::pair<size_t, int>> leading;  // each with its depth
    int depth = 0;
    const std::set<std::string_view> defined = defined_in(source);
    for (size_t i = 0; i < source.size(); ++i) {
        if (source[i].kind != TokenKind::directive)
            continue;
        depth += depth_change(source.text(i));
        if (!source.is_off(i))
            refuse_condition(work, i, defined);
        const std::string_view name = included(source.text(i));
        if (name.empty() && holds_tame(source.text(i)))
            work.refuse(i, "a macro that holds a part of Tame: write it out");
        if (name.empty())
            continue;
        take_header(work, i, name, found);
        if (i < code || found.tame == i)
            leading.emplace_back(i, depth);
    }
    const size_t own = found.tame == nowhere ? found.first : found.tame;
    const auto at_own = std::find_if(leading.begin(), leading.end(), [&](const auto &one) { return one.first == own; });
    for (auto one = at_own; one != leading.end(); ++one)
        if (one->second == at_own->second)
            found.last = one->first;
    return found;
}

}  // namespace

bool is_translated(const Source &source) {
    for (const std::string_view word : {"twait", "tvars", "VARS", "BLOCK", "CLOSURE", "make_event", "TAMED"})
        if (source.holds_word(word))
            return false;
    for (size_t i = 0; i < source.size(); ++i)
        if (source[i].kind == TokenKind::directive && included(source.text(i)) == "thalweg/tame.h")
            return true;
    return false;
}

void add_declarations(Work &work) {
    const Includes found = find_includes(work);
    if (work.used().empty() && !work.uses_loop())
        return;
    std::string names;
    if (!work.is_using_all())
        for (const std::string &name : work.used())
            names += fmt::format("using thalweg::tame::{};\n", name);
    if (found.tame == nowhere) {
        const size_t at = found.first == nowhere ? work.source.skip(0) : found.first;
        work.put_before(at, include_lines(work) + "\n" + (found.last == nowhere ? "\n" + names + "\n" : ""));
    }
    if (found.last == nowhere || names.empty())
        return;
    const size_t behind = found.last + 2;  // the newline's
    const bool is_blank = behind >= work.source.size() || work.source[behind].kind == TokenKind::newline;
    work.put_after(found.last, "\n\n" + names.substr(0, names.size() - (is_blank ? 1 : 0)));
}

}  // namespace thalweg::tame
