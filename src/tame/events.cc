// tame: how events and rendezvous are made, named and triggered.
#include <algorithm>
#include <array>

#include "tame/constructs.h"

namespace thalweg::tame {

namespace {

// The number of ids of the rendezvous that is an event's first argument; none: it is not known as one.
std::optional<size_t> ids_of(const Work &work, Range part, const Place &place) {
    const Source &source = work.source;
    if (!is_chain(source, part))
        return {};
    const Range range = source.trimmed(part);
    size_t word = nowhere;
    for (size_t i = range.first; i < range.last; i = source.next(i)) {
        if (source.is(i, "(") || source.is(i, "["))
            i = source.partner(i);
        else if (source.is_word(i))
            word = i;
    }
    const bool is_alone = source.is_word(range.first) && word == range.first;
    const Variable *variable = is_alone && place.function ? place.function->find(source.text(word)) : nullptr;
    if (variable)
        return variable->ids;
    const auto known = work.names.rendezvous.find(source.text(word));
    return known == work.names.rendezvous.end() ? std::nullopt : std::optional<size_t>(known->second);
}

bool is_of_function(const Work &work, Range part, const Place &place) {
    const Range range = work.source.trimmed(part);
    const Variable *variable = place.function ? place.function->find(work.source.text(range)) : nullptr;
    return variable && variable->ids && variable->lives_here && !variable->is_pointer;
}

// A slot that is part of the function's frame.
bool lies_in_frame(const Work &work, Range part, const Place &place) {
    const Source &source = work.source;
    const Range range = source.trimmed(part);
    if (!source.is_word(range.first) || !is_chain(source, part))
        return false;
    const Variable *variable = place.function->find(source.text(range.first));
    const size_t behind = source.next(range.first);
    return variable && variable->lives_here && !(behind < range.last && source.is(behind, "->")) &&
           !(variable->is_pointer && behind < range.last && source.is(behind, "["));
}

// In Tame an event keeps the closure alive, and its slots in it. Here the slots live as long as the function.
void refuse_slots(Work &work, const std::vector<Range> &parts, std::optional<size_t> ids, const Place &place) {
    if (!place.function || is_of_function(work, parts[0], place))
        return;
    for (size_t i = 1 + ids.value_or(0); i < parts.size(); ++i) {
        if (!lies_in_frame(work, parts[i], place))
            continue;
        const std::string rendezvous = work.source.text(work.source.trimmed(parts[0]));
        const std::string slot = work.source.text(work.source.trimmed(parts[i]));
        work.refuse(
            parts[i].first,
            ids ? fmt::format("the slot '{}' ends with the function, and the rendezvous '{}' may not: the event "
                              "would fill what is gone. Put the slot where the rendezvous is",
                              slot, rendezvous)
                : fmt::format("'{}' may be a slot that ends before the rendezvous '{}', or its id: name the file "
                              "that declares '{}' too",
                              slot, rendezvous, rendezvous));
    }
}

void add_gather(Work &work, size_t open, const Place &place) {
    const bool is_alone = work.source.next(open) == work.source.partner(open);
    work.put_after(open, place.wait->all + (is_alone ? "" : ", "));
}

// A method that the library's event has no counterpart of.
bool is_unknown_method(std::string_view word) {
    static constexpr std::array<std::string_view, 11> words = {"at_trigger",
                                                               "unblock",
                                                               "unblocker",
                                                               "set_reuse",
                                                               "finish",
                                                               "set_cancel_notifier",
                                                               "clear_cancel_notifier",
                                                               "was_cancelled",
                                                               "is_cancelled",
                                                               "slot0",
                                                               "result_pointer"};
    return std::find(words.begin(), words.end(), word) != words.end();
}

struct Alias {
    std::string_view name;
    std::string_view type;
};
constexpr std::array aliases = {
    Alias{"evv_t", "event<>"},    Alias{"evi_t", "event<int>"}, Alias{"evb_t", "event<bool>"},
    Alias{"evs_t", "event<str>"}, Alias{"cbv", "event<>"},      Alias{"cbi", "event<int>"},
    Alias{"cbb", "event<bool>"},  Alias{"cbs", "event<str>"},
};

// ::ref and ::ptr behind an event's type: our events are references.
void remove_reference(Work &work, size_t behind) {
    const Source &source = work.source;
    const size_t colons = source.skip(behind), word = source.next(colons);
    if (source.is(colons, "::") && (source.is(word, "ref") || source.is(word, "ptr")))
        work.remove({colons, word + 1});
}

// In `cbv cbv` the second one, and where that is used: what a variable is called, and no type.
bool is_variable_s(const Work &work, size_t at, const Place &place) {
    const Source &source = work.source;
    const size_t before = source.previous(at), behind = source.next(at);
    if (place.function && place.function->find(source.text(at)) && !source.is_word(behind))
        return true;
    static constexpr std::array<std::string_view, 5> ends = {",", ")", ";", "=", "("};
    const bool ends_declaration =
        std::any_of(ends.begin(), ends.end(), [&](std::string_view one) { return source.is(behind, one); });
    if (before == nowhere || !ends_declaration)
        return false;
    static constexpr std::array<std::string_view, 5> of_types = {"const", "volatile", "typename", "return", "new"};
    if (source.is_word(before))
        return std::none_of(of_types.begin(), of_types.end(),
                            [&](std::string_view one) { return source.is(before, one); });
    return source.is(before, ">") || source.is(before, "&") || source.is(before, "*");
}

bool rewrite_alias(Work &work, size_t at, const Place &place) {
    if (work.syntax != Syntax::sfslite || is_variable_s(work, at, place))
        return false;
    const auto found =
        std::find_if(aliases.begin(), aliases.end(), [&](const Alias &one) { return work.source.is(at, one.name); });
    if (found == aliases.end())
        return false;
    work.put(at, std::string(found->type));
    work.use("event");
    remove_reference(work, at + 1);
    return true;
}

const Variable *event_at(const Work &work, size_t at, const Place &place) {
    const Variable *variable =
        place.function && work.source.is_word(at) ? place.function->find(work.source.text(at)) : nullptr;
    return variable && variable->is_event && !variable->is_pointer ? variable : nullptr;
}

// A variable, or a member of a class that some file declares.
bool is_event(const Work &work, size_t at, const Place &place) {
    const bool is_variable = place.function && place.function->find(work.source.text(at));
    return is_variable ? event_at(work, at, place) != nullptr : work.names.events.contains(work.source.text(at));
}

// (*e)(v) -> e(v)
size_t rewrite_called(Work &work, size_t at, const Place &place) {
    const Source &source = work.source;
    const size_t star = source.next(at), name = source.next(star), close = source.partner(at);
    if (!source.is(star, "*") || source.next(name) != close || !source.is(source.next(close), "(") ||
        !is_event(work, name, place))
        return at;
    work.put(at, "");
    work.put(star, "");
    work.put(close, "");
    return close + 1;
}

// tamer triggers events that nobody has any more, and tells of it unless the rendezvous is volatile.
void write_lenient(Work &work, size_t at, size_t behind) {
    const Source &source = work.source;
    size_t all = 0, silent = 0;
    for (size_t i = source.skip(behind); source.is_word(i) || source.is(i, ","); i = source.next(i)) {
        if (source.is(i, ","))
            continue;
        ++all;
        const size_t open = source.next(i);
        if (!source.is(open, "(") && !source.is(open, "{"))
            continue;
        i = source.partner(open);
        silent += source.is(source.previous(i), "rvolatile") ? 1 : 0;
    }
    if (silent != 0 && silent != all)
        work.refuse(at, "rendezvous that are volatile and others in one declaration: they are of two types here");
    const std::string_view kind = silent != 0 ? "silent" : "lenient";
    work.use(kind);
    work.put_before(at, fmt::format("{}<", kind));
    work.put_after(behind - 1, ">");
}

void rewrite_method(Work &work, size_t at, size_t dot) {
    const Source &source = work.source;
    const size_t method = source.next(dot), open = source.next(method);
    if (is_unknown_method(source.text(method)))
        work.refuse(method, fmt::format("an event's {}(): no counterpart", source.text(method)));
    if (source.is(method, "empty") && source.is(open, "(")) {
        work.put_before(at, "!");
        work.remove({at + 1, source.partner(open) + 1});
    }
}

struct Method {
    std::string_view name;
    std::string_view with;  // empty: no counterpart
};
constexpr std::array rendezvous_methods = {
    Method{"has_ready", "has_occurred"},
    Method{"has_waiting", "is_pending"},
    Method{"clear", "cancel"},
    Method{"n_triggers_left", ""},
    Method{"n_signals_left", ""},
    Method{"need_wait", ""},
    Method{"pending", ""},
    Method{"has_events", ""},
    Method{"nevents", ""},
    Method{"join", ""},
};

// r.clear(), of a variable or of a member of a class that some file declares.
void rewrite_rendezvous_method(Work &work, size_t at, const Place &place) {
    const Source &source = work.source;
    const Variable *variable = place.function ? place.function->find(source.text(at)) : nullptr;
    const size_t dot = source.next(at), method = source.next(dot);
    const bool is_one = variable ? variable->ids.has_value() : work.names.rendezvous.contains(source.text(at));
    if (!is_one || (!source.is(dot, ".") && !source.is(dot, "->")) || !source.is(source.next(method), "("))
        return;
    const auto found = std::find_if(rendezvous_methods.begin(), rendezvous_methods.end(),
                                    [&](const Method &one) { return source.is(method, one.name); });
    if (found == rendezvous_methods.end())
        return;
    if (found->with.empty())
        work.refuse(method, fmt::format("a rendezvous's {}(): no counterpart", found->name));
    work.put(method, std::string(found->with));
}

// _r (__FILE__, __LINE__), where a constructor makes a member that some file declares.
void rewrite_member_place(Work &work, size_t at) {
    const Source &source = work.source;
    const size_t open = source.next(at);
    if (!source.is(open, "(") || !source.is(source.next(open), "__FILE__") ||
        !work.names.rendezvous.contains(source.text(at)))
        return;
    work.remove({open + 1, source.partner(open)});
}

}  // namespace

size_t rewrite_mkevent(Work &work, size_t at, const Place &place) {
    const Source &source = work.source;
    const size_t open = source.next(at), before = source.previous(at);
    if (!source.is(open, "(") || (before != nowhere && (source.is(before, ".") || source.is(before, "->"))))
        return at + 1;
    const std::vector<Range> parts = source.parts({open + 1, source.partner(open)});
    const std::optional<size_t> ids = parts.empty() ? std::nullopt : ids_of(work, parts[0], place);
    work.use("mkevent");
    if (source.text(at) != "mkevent")
        work.put(at, "mkevent");
    if (place.wait && !ids)
        add_gather(work, open, place);
    else if (parts.empty())
        work.refuse(at, "an event without a rendezvous, outside of twait{}");
    else
        refuse_slots(work, parts, ids, place);
    work.rewrite({open + 1, source.partner(open)}, place);
    return source.partner(open) + 1;
}

// @(slots) in a BLOCK{}, @[rendezvous, ids](slots) elsewhere: sfslite before mkevent.
size_t rewrite_at_sign(Work &work, size_t at, const Place &place) {
    const Source &source = work.source;
    const size_t bracket = source.is(source.next(at), "[") ? source.next(at) : nowhere;
    const size_t open = bracket == nowhere ? source.next(at) : source.next(source.partner(bracket));
    if (!place.function || !source.is(open, "("))
        return at + 1;
    work.use("mkevent");
    work.put(at, "mkevent");
    if (bracket == nowhere && !place.wait) {
        work.refuse(at, "an event without a rendezvous, outside of BLOCK{}");
    } else if (bracket == nowhere) {
        add_gather(work, open, place);
    } else {
        const size_t close = source.partner(bracket);
        std::vector<Range> parts = source.parts({bracket + 1, close});
        const std::optional<size_t> ids = parts.empty() ? std::nullopt : std::optional(parts.size() - 1);
        for (const Range slot : source.parts({open + 1, source.partner(open)}))
            parts.push_back(slot);
        if (ids)
            refuse_slots(work, parts, ids, place);
        work.put(bracket, "(");
        work.put(close, "");
        work.put(open, source.next(open) == source.partner(open) ? "" : ", ");
        work.rewrite({bracket + 1, close}, place);
    }
    work.rewrite({open + 1, source.partner(open)}, place);
    return source.partner(open) + 1;
}

// TRIGGER(e, v) and, older, SIGNAL(e, v) -> e.trigger(v)
size_t rewrite_trigger(Work &work, size_t at, const Place &place) {
    const Source &source = work.source;
    const size_t open = source.next(at);
    if (work.syntax != Syntax::sfslite || !source.is(open, "("))
        return at + 1;
    const size_t close = source.partner(open);
    const std::vector<Range> parts = source.parts({open + 1, close});
    if (parts.empty())
        return at + 1;
    const bool is_plain = is_chain(source, parts[0]) && !source.is(source.skip(parts[0].first), "*");
    const std::string end = is_plain ? "" : ")";
    work.remove({at, open + 1});
    if (!is_plain)
        work.put(open, "(");
    if (parts.size() == 1) {
        work.put(close, end + ".trigger()");
    } else {
        work.remove_with_space(parts[0].last);
        work.put(parts[0].last, end + ".trigger(");
    }
    work.rewrite({open + 1, close}, place);
    note_trigger(work, at, place);
    return close + 1;
}

namespace {

// Behind a statement there is nothing more of the function: it returns, or ends.
bool is_last(const Source &source, size_t behind, const Function &function) {
    for (size_t i = source.skip(behind); i < function.body.last; i = source.skip(i)) {
        if (source.is(i, "return"))
            return true;
        if (source.is(i, "else")) {
            i = source.behind_statement(source.next(i), function.body.last);
            continue;
        }
        if (!source.is(i, "}"))
            return false;
        const size_t head = source.previous(source.partner(i));
        const size_t word = head != nowhere && source.is(head, ")") ? source.previous(source.partner(head)) : head;
        if (word == nowhere || source.is(word, "for") || source.is(word, "while") || source.is(word, "do"))
            return false;
        ++i;
    }
    return true;
}

}  // namespace

// Where it is not to be as in sfslite.
size_t note_trigger(Work &work, size_t at, const Place &place) {
    const Source &source = work.source;
    const size_t open = source.next(at);
    if (work.syntax != Syntax::sfslite || work.is_prompt() || !place.function || !place.is_own || !source.is(open, "("))
        return at + 1;
    const size_t end = source.next(source.partner(open));
    if (!source.is(end, ";") || !is_last(source, end + 1, *place.function))
        work.note(at,
                  "in sfslite whoever waits for this event goes on before what follows here; now, when this function "
                  "waits or ends");
    return at + 1;
}

size_t rewrite_event_type(Work &work, size_t at, const Place &place) {
    const Source &source = work.source;
    const size_t open = source.next(at);
    const size_t behind = source.is(open, "<") ? source.behind_angle(open, source.size()) : nowhere;
    if (behind == nowhere) {
        rewrite_event_name(work, at, place);
        return at + 1;
    }
    work.use("event");
    const size_t before = source.previous(at);
    if (source.is(source.skip(behind), "::") && before != nowhere && source.is(before, "typename"))
        work.remove_with_space(before);
    remove_reference(work, behind);
    return at + 1;
}

size_t rewrite_event_name(Work &work, size_t at, const Place &place) {
    const Source &source = work.source;
    if (source.is(at, "("))
        return rewrite_called(work, at, place);
    if (source.is(at, "__cls_g") || source.is(at, "closure_t") || source.text(at).starts_with("closure__")) {
        const size_t open = source.enclosing(at);
        const bool is_removed = open != nowhere && source.is(open, "(") && source.is(at, "closure_t");
        if (!is_removed)
            work.refuse(at, fmt::format("'{}': the closure that the old translator passes along; there is none here",
                                        source.text(at)));
        return at + 1;
    }
    if (rewrite_alias(work, at, place))
        return at + 1;
    rewrite_rendezvous_method(work, at, place);
    rewrite_member_place(work, at);
    const size_t behind = source.next(at), before = source.previous(at);
    if (source.is(behind, "=") && source.is(source.next(behind), "NULL") && is_event(work, at, place))
        work.put(source.next(behind), "{}");
    if (!event_at(work, at, place) || (before != nowhere && (source.is(before, ".") || source.is(before, "->"))))
        return at;
    if (source.is(behind, ".") || source.is(behind, "->"))
        rewrite_method(work, at, behind);
    return at + 1;
}

size_t rewrite_rendezvous(Work &work, size_t at, const Place &) {
    const Source &source = work.source;
    const size_t open = source.next(at);
    const size_t behind = source.is(open, "<") ? source.behind_angle(open, source.size()) : nowhere;
    if (behind == nowhere)
        return at + 1;
    work.use("rendezvous");
    if (!source.is(at, "rendezvous"))
        work.put(at, "rendezvous");
    if (work.syntax == Syntax::tamer)
        write_lenient(work, at, behind);
    if (work.is_prompt()) {
        work.use("prompt");
        work.put_before(at, "prompt<");
        work.put_after(behind - 1, ">");
    }
    return at + 1;
}

}  // namespace thalweg::tame
