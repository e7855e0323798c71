// tame: one file's translation.
#include "tame/translate.h"

#include <algorithm>
#include <array>

#include "tame/constructs.h"

namespace thalweg::tame {

namespace {

struct Named {
    Syntax syntax;
    std::string_view name;
};
constexpr std::array syntaxes = {Named{Syntax::paper, "paper"}, Named{Syntax::sfslite, "sfslite"},
                                 Named{Syntax::tamer, "tamer"}};

// What only one of them writes.
struct Mark {
    std::string_view text;
    Syntax syntax;
};
constexpr std::array endings = {Mark{".T", Syntax::sfslite}, Mark{".tcc", Syntax::tamer}, Mark{".tt", Syntax::tamer}};
constexpr std::array words = {
    Mark{"rendezvous_t", Syntax::sfslite}, Mark{"CLOSURE", Syntax::sfslite}, Mark{"evv_t", Syntax::sfslite},
    Mark{"TAMED", Syntax::sfslite},        Mark{"VARS", Syntax::sfslite},    Mark{"tamer", Syntax::tamer},
    Mark{"make_event", Syntax::tamer},
};

bool is_tame_word(std::string_view word) {
    static constexpr std::array<std::string_view, 11> tame = {"tamed", "TAMED",      "TAME",        "twait",
                                                              "tvars", "CLOSURE",    "make_event",  "mkevent",
                                                              "VARS",  "rendezvous", "rendezvous_t"};
    return std::find(tame.begin(), tame.end(), word) != tame.end();
}

bool has_tame(const Source &source) {
    for (size_t i = 0; i < source.size(); ++i)
        if (source.is_word(i) && is_tame_word(source.text(i)))
            return true;
    return false;
}

}  // namespace

std::string_view name_of(Syntax syntax) { return syntaxes[static_cast<size_t>(syntax)].name; }

std::optional<Syntax> syntax_named(std::string_view name) {
    for (const Named &one : syntaxes)
        if (one.name == name)
            return one.syntax;
    return {};
}

Syntax syntax_of(std::string_view file, std::string_view text) {
    for (const Mark &mark : endings)
        if (file.ends_with(mark.text))
            return mark.syntax;
    const Source source(text);
    for (const Mark &mark : words)
        if (source.holds_word(mark.text))
            return mark.syntax;
    return Syntax::paper;
}

namespace {

// The name that a declaration gives to what its type, which ends before `behind`, is of; nowhere: it declares nothing.
size_t declared_name(const Source &source, size_t behind) {
    size_t name = source.skip(behind);
    if (source.is(name, "::"))  // ::ref, ::ptr
        name = source.next(source.next(name));
    while (source.is(name, "&") || source.is(name, "*"))
        name = source.next(name);
    return source.is_word(name) ? name : nowhere;
}

}  // namespace

void add_names(std::string_view text, Names &names) {
    const Source source(text);
    for (size_t i = source.skip(0); i < source.size(); i = source.next(i)) {
        const size_t open = source.next(i);
        const size_t behind = source.is(open, "<") ? source.behind_angle(open, source.size()) : nowhere;
        const bool is_event = source.is(i, "event") && behind != nowhere;
        const size_t name = declared_name(source, behind == nowhere ? open : behind);
        if (name == nowhere)
            continue;
        if (is_event || is_event_alias(source.text(i)))
            names.events.emplace(source.text(name));
        else if (behind != nowhere && is_rendezvous(source.text(i)))
            names.rendezvous[std::string(source.text(name))] = source.parts({open + 1, behind - 1}).size();
    }
}

Translation translate(std::string_view text, const Options &options, const Names &names) {
    Translation translation;
    translation.syntax = options.syntax.value_or(syntax_of(options.file, text));
    Work work(text, options, translation.syntax, names);
    const size_t alone = work.source.alone();
    if (is_translated(work.source)) {
        translation.text = text;
        return translation;
    }
    if (work.source.too_deep() != nowhere) {
        work.refuse(work.source.too_deep(), fmt::format("brackets nest deeper than {}", deepest_nesting));
    } else if (alone == nowhere) {
        work.rewrite({0, work.source.size()}, {});
        add_declarations(work);
    } else if (has_tame(work.source)) {
        work.refuse(alone, fmt::format("'{}' has no partner, as the file is read: without the preprocessor, both sides "
                                       "of an #if count",
                                       work.source.text(alone)));
    }
    translation.refusals = work.refusals();
    translation.notes = work.notes();
    translation.has_tame = work.has_changes() || !translation.refusals.empty();
    translation.text = translation.has_tame ? work.result() : text;
    return translation;
}

}  // namespace thalweg::tame
