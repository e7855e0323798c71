// tame: one file while it is translated.
#include "tame/work.h"

#include <algorithm>
#include <array>

namespace thalweg::tame {

namespace {

std::string unused_name(const Source &source) {
    for (const std::string_view name : {"all", "all_events", "gathered"})
        if (!source.holds_word(name))
            return std::string(name);
    size_t number = 2;
    while (source.holds_word(fmt::format("all_events{}", number)))
        ++number;
    return fmt::format("all_events{}", number);
}

std::string quoted_name(std::string_view file) {
    std::string text = "\"";
    for (const char letter : file) {
        if (letter == '"' || letter == '\\')
            text += '\\';
        text += letter;
    }
    return text + "\"";
}

}  // namespace

bool is_rendezvous(std::string_view word) {
    return word == "rendezvous" || word == "rendezvous_t" || word == "coordgroup_t";
}

bool is_event_alias(std::string_view word) {
    static constexpr std::array<std::string_view, 8> names = {"evv_t", "evi_t", "evb_t", "evs_t",
                                                              "cbv",   "cbi",   "cbb",   "cbs"};
    return std::find(names.begin(), names.end(), word) != names.end();
}

const Variable *Function::find(std::string_view name) const {
    const auto found =
        std::find_if(variables.begin(), variables.end(), [&](const Variable &one) { return one.name == name; });
    return found == variables.end() ? nullptr : &*found;
}

Work::Work(std::string_view text, const Options &given, Syntax written, const Names &known)
    : source(text), options(given), syntax(written), names(known), before_(source.size() + 1),
      after_(source.size() + 1), gather_name_(unused_name(source)) {}

void Work::remove(Range range) {
    for (size_t i = range.first; i < range.last; ++i)
        if (source[i].kind != TokenKind::comment)
            put(i, "");
}

void Work::remove_with_space(size_t at) {
    put(at, "");
    if (at + 1 < source.size() && source[at + 1].kind == TokenKind::space)
        put(at + 1, "");
}

void Work::refuse(size_t at, std::string reason) {
    const size_t line = source.line(at);
    const auto behind = std::upper_bound(refusals_.begin(), refusals_.end(), line,
                                         [](size_t asked, const Refusal &one) { return asked < one.line; });
    refusals_.insert(behind, {line, std::move(reason)});
}

bool Work::has_changes() const {
    const auto is_full = [](const std::string &text) { return !text.empty(); };
    return !instead_.empty() || std::any_of(before_.begin(), before_.end(), is_full) ||
           std::any_of(after_.begin(), after_.end(), is_full);
}

std::string Work::result() const {
    std::string text;
    size_t line = 1;  // of the source, as the compiler counts it
    const auto add = [&](std::string_view part) {
        line += static_cast<size_t>(std::count(part.begin(), part.end(), '\n'));
        text += part;
    };
    for (size_t i = 0; i < source.size(); ++i) {
        add(before_[i]);
        const bool is_line_start = text.empty() || text.back() == '\n';
        if (options.line_directives && is_line_start && (line != source.line(i) || text.empty())) {
            text += fmt::format("#line {} {}\n", source.line(i), quoted_name(options.file));
            line = source.line(i);
        }
        const auto other = instead_.find(i);
        add(other == instead_.end() ? source[i].text : std::string_view(other->second));
        add(after_[i]);
    }
    add(before_[source.size()]);
    return text;
}

Variable variable_of(const Work &work, Range declaration) {
    const Source &source = work.source;
    Variable variable;
    const Range all = source.trimmed(declaration);
    size_t name = nowhere;
    for (size_t i = all.first; i < all.last; i = source.next(i)) {
        const std::string_view text = source.text(i);
        if (text == "(" || text == "=" || text == "{")
            break;
        if (text == "[") {
            variable.is_pointer = true;
            break;
        }
        variable.is_pointer = variable.is_pointer || text == "*";
        if (text == "&")
            variable.lives_here = false;
        if (source.is_word(i))
            name = i;
        if (is_rendezvous(text))
            variable.ids = 0;
        const size_t behind = source.is(source.next(i), "<") ? source.behind_angle(source.next(i), all.last) : nowhere;
        if (text == "event" || is_event_alias(text))
            variable.is_event = true;
        if (behind == nowhere)
            continue;
        if (variable.ids)
            variable.ids = source.parts({source.next(i) + 1, behind - 1}).size();
        i = behind - 1;
    }
    // `const cbv`: a parameter without a name.
    const bool is_type = name != nowhere && is_event_alias(source.text(name)) &&
                         (name == all.first || source.is(source.previous(name), "const"));
    if (name != nowhere && !is_type)
        variable.name = source.text(name);
    return variable;
}

bool is_chain(const Source &source, Range range) {
    range = source.trimmed(range);
    size_t i = range.first;
    while (i < range.last && (source.is(i, "*") || source.is(i, "&")))
        i = source.next(i);
    bool wants_name = true;
    for (; i < range.last; i = source.next(i)) {
        const bool is_group = source.is(i, "[") || source.is(i, "(");
        const bool joins = source.is(i, "::") || source.is(i, "->") || source.is(i, ".");
        if (!is_group && !joins && !source.is_word(i))
            return false;
        if (source.is_word(i) && !wants_name)
            return false;
        wants_name = joins;
        if (is_group)
            i = source.partner(i);
    }
    return true;
}

}  // namespace thalweg::tame
