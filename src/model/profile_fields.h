// model: the fields of a profile (docs/formats/profile.md says what each is in the file). A member without a row does not compile.
#pragma once

#include "model/fields.h"
#include "model/limits.h"
#include "model/profile.h"

namespace thalweg::model {

inline constexpr const char *noted_kind_words[] = {"argument", "load",
                                                   "result"};  // FactKind::memory is declared, never noted
inline constexpr const char *steers_words[] = {"branch", "switch", "call"};
// SiteKind::call is of sites alone.
inline constexpr std::span<const char *const> event_kind_words = std::span(site_kind_words).first(4);

namespace fields {

template <>
struct Of<Site> {
    static constexpr std::tuple rows{name("function", &Site::function),
                                     key("ordinal", &Site::ordinal),
                                     hash("body_hash", &Site::body_hash),
                                     key("kind", &Site::kind, site_kind_words),
                                     place("place", &Site::place),
                                     beside({"site_callees", "site", 5}, key("callee", &Site::callee).sparse())};
};

template <>
struct Of<Symbol> {
    static constexpr std::tuple rows{name("name", &Symbol::name),
                                     key("is_function", &Symbol::is_function),
                                     key("has_body", &Symbol::has_body),
                                     hash("body_hash", &Symbol::body_hash),
                                     most("instructions", &Symbol::instructions),
                                     place("place", &Symbol::place)};
};

template <>
struct Of<EventTime> {
    static constexpr std::tuple rows{count("timed", &EventTime::timed), count("inside_ns", &EventTime::inside_ns),
                                     error("inside_error_ns", &EventTime::inside_error_ns),
                                     count("own_ns", &EventTime::own_ns),
                                     error("own_error_ns", &EventTime::own_error_ns)};
};

template <>
struct Of<Event> {
    static constexpr std::tuple rows{
        name("name", &Event::name),      key("kind", &Event::kind, event_kind_words),
        count("raises", &Event::raises), count("binding_changes", &Event::binding_changes),
        error("error", &Event::error),   Nested{"time", &Event::time, {"event_times", "event", 8}}};
};

template <>
struct Of<Edge> {
    static constexpr std::tuple rows{index("from", &Edge::from, List::events), index("to", &Edge::to, List::events),
                                     key("mode", &Edge::mode, raise_mode_words), count("weight", &Edge::weight),
                                     error("error", &Edge::error)};
};

template <>
struct Of<Target> {
    static constexpr std::tuple rows{index_or_none("function", &Target::function, List::code),
                                     index_or_none("context", &Target::context, List::symbols),
                                     key("context_offset", &Target::context_offset), key("ordinal", &Target::ordinal)};
};

template <>
struct Of<Sequence> {
    static constexpr std::tuple rows{index("site", &Sequence::site, List::sites),
                                     index("event", &Sequence::event, List::events),
                                     key("truncated", &Sequence::truncated),
                                     count("count", &Sequence::count),
                                     error("error", &Sequence::error),
                                     Several{.name = "targets",
                                             .member = &Sequence::targets,
                                             .items = Items::in_order,
                                             .table = {"targets", "sequence", 1},
                                             .most = max_targets}};
};

template <>
struct Of<Nesting> {
    static constexpr std::tuple rows{index("parent_event", &Nesting::parent_event, List::events),
                                     index("parent_site", &Nesting::parent_site, List::sites),
                                     key("position", &Nesting::position),
                                     index_or_none("handler", &Nesting::handler, List::code),
                                     index("child_event", &Nesting::child_event, List::events),
                                     index("child_site", &Nesting::child_site, List::sites),
                                     key("mode", &Nesting::mode, raise_mode_words),
                                     count("count", &Nesting::count),
                                     error("error", &Nesting::error)};
};

template <>
struct Of<GuardCount> {
    static constexpr std::tuple rows{key("decision", &GuardCount::decision), key("event", &GuardCount::event),
                                     count("hits", &GuardCount::hits), count("failures", &GuardCount::failures)};
};

template <>
struct Of<Coverage> {
    static constexpr std::tuple rows{count("dispatches", &Coverage::dispatches),
                                     part("recorded", &Coverage::recorded, &Coverage::dispatches),
                                     count("lost", &Coverage::lost),
                                     count("runs", &Coverage::runs),
                                     count("processes", &Coverage::processes),
                                     count("threads", &Coverage::threads)};
};

template <>
struct Of<FunctionBody> {
    static constexpr bool has_column = false;
    static constexpr std::tuple rows{name("name", &FunctionBody::name), hash("body_hash", &FunctionBody::body_hash),
                                     most("instructions", &FunctionBody::instructions),
                                     place("place", &FunctionBody::place, has_column),
                                     Several{.name = "calls",
                                             .member = &FunctionBody::calls,
                                             .items = Items::once,
                                             .table = {"calls", "caller", 2},
                                             .item = "callee",
                                             .list = List::functions,
                                             .most = max_targets}};
};

template <>
struct Of<ProfiledFunction> {
    static constexpr std::tuple rows{Flat{&ProfiledFunction::body}, count("entries", &ProfiledFunction::entries),
                                     error("error", &ProfiledFunction::error)};
};

template <>
struct Of<NotedValue> {
    static constexpr std::tuple rows{index_or_none("symbol", &NotedValue::symbol, List::symbols),
                                     hash("bits", &NotedValue::bits), count("count", &NotedValue::count)};
};

template <>
struct Of<CallPlace> {
    static constexpr std::tuple rows{index("caller", &CallPlace::caller, List::functions).needed(),
                                     key("ordinal", &CallPlace::ordinal).needed(), place("place", &CallPlace::place)};
};

template <>
struct Of<NotedFact> {
    static constexpr std::tuple rows{index("function", &NotedFact::function, List::functions),
                                     key("kind", &NotedFact::kind, noted_kind_words),
                                     key("ordinal", &NotedFact::ordinal),
                                     key("width", &NotedFact::width),
                                     most("steers", &NotedFact::steers, steers_words),
                                     place("place", &NotedFact::place),
                                     count("notes", &NotedFact::notes),
                                     most("varies", &NotedFact::varies),
                                     Several{.name = "values",
                                             .member = &NotedFact::values,
                                             .items = Items::counted,
                                             .table = {"fact_values", "fact", 2},
                                             .most = max_targets},
                                     Nested{"call", &NotedFact::call, {"fact_calls", "fact", 3}}};
};

template <>
struct Of<Computation> {
    static constexpr std::tuple rows{index("function", &Computation::function, List::functions).needed(),
                                     key("instructions", &Computation::instructions).needed(),
                                     key("input_bytes", &Computation::input_bytes).needed(),
                                     key("result_bytes", &Computation::result_bytes).needed()};
};

template <>
struct Of<NotedComputation> {
    static constexpr std::tuple rows{Flat{&NotedComputation::of}, count("notes", &NotedComputation::notes),
                                     part("same", &NotedComputation::same, &NotedComputation::notes)};
};

template <>
struct Of<NotedSystemCall> {
    using Call = NotedSystemCall;
    static constexpr std::tuple rows{index("site", &Call::site, List::calls),
                                     count("calls", &Call::calls),
                                     part("errors", &Call::errors, &Call::calls),
                                     part("zeros", &Call::zeros, &Call::calls),
                                     part("shorts", &Call::shorts, &Call::calls),
                                     count("asked_bytes", &Call::asked_bytes),
                                     count("given_bytes", &Call::given_bytes),
                                     beside({"system_call_times", "system_call", 6},
                                            part("timed", &Call::timed, &Call::calls),
                                            time("inside_ns", &Call::inside_ns, &Call::timed))};
};

template <>
struct Of<SystemCallEdge> {
    using Edge = SystemCallEdge;
    static constexpr std::tuple rows{
        index("from", &Edge::from, List::calls),
        index("to", &Edge::to, List::calls),
        count("weight", &Edge::weight),
        part("same_descriptor", &Edge::same_descriptor, &Edge::weight),
        part("same_buffer", &Edge::same_buffer, &Edge::weight),
        part("result_is_size", &Edge::result_is_size, &Edge::weight),
        part("adjacent", &Edge::adjacent, &Edge::weight),
        beside({"system_call_edge_times", "edge", 6}, part("timed", &Edge::timed, &Edge::weight),
               time("between_ns", &Edge::between_ns, &Edge::timed), least("least_ns", &Edge::least_ns, &Edge::timed))};
};

template <>
struct Of<Release> {
    static constexpr std::tuple rows{index("from", &Release::from, List::calls), index("to", &Release::to, List::calls),
                                     count("count", &Release::count)};
};

template <>
struct Of<NotedOutput> {
    static constexpr std::tuple rows{index("site", &NotedOutput::site, List::calls),
                                     count("calls", &NotedOutput::calls)};
};

template <>
struct Of<NotedBlocks> {
    static constexpr std::tuple rows{name("callee", &NotedBlocks::callee), count("calls", &NotedBlocks::calls),
                                     part("served", &NotedBlocks::served, &NotedBlocks::calls)};
};

// A list of the profile: a table of the file, an array of JSON.
template <class Entry>
struct ListRow {
    using type = Entry;
    const char *name;
    std::vector<Entry> Profile::*entries;
    size_t most;
    uint32_t since = 1;  // version of the first files that have it
};

// In an order in which an index leads into a list before it, or into its own. Counts of LLVM's counters and libraries are lists of another kind.
inline constexpr std::tuple profile_lists{
    ListRow{"sites", &Profile::sites, max_sites},
    ListRow{"symbols", &Profile::symbols, max_symbols},
    ListRow{"events", &Profile::events, max_events},
    ListRow{"edges", &Profile::edges, max_edges},
    ListRow{"sequences", &Profile::sequences, max_sequences},
    ListRow{"nestings", &Profile::nestings, max_nestings},
    ListRow{"guards", &Profile::guards, max_guards},
    ListRow{"functions", &Profile::functions, max_symbols, 2},
    ListRow{"facts", &Profile::facts, max_facts, 2},
    ListRow{"computations", &Profile::computations, max_symbols, 4},
    ListRow{"system_calls", &Profile::system_calls, max_sites, 5},
    ListRow{"system_call_edges", &Profile::system_call_edges, max_edges, 5},
    ListRow{"releases", &Profile::releases, max_edges, 5},
    ListRow{"output_calls", &Profile::output_calls, max_sites, 13},
    ListRow{"block_calls", &Profile::block_calls, max_sites, 14},
};

// each(list, its entries in every profile ...)
template <class Each, class... Profiles>
void each_list(Each each, Profiles &...profiles) {
    each_row(profile_lists, [&](const auto &list) { each(list, (profiles.*list.entries)...); });
}

// The lists whose counts may be estimates, each with its number in the file: each(number, its entries)
template <class Each>
void each_estimated_list(auto &profile, Each each) {
    uint64_t number = 0;
    each_list(
        [&]<class Entry>(const ListRow<Entry> &, auto &entries) {
            if constexpr (requires { &Entry::error; })
                each(number++, entries);
        },
        profile);
}

// How long a list is into which an index leads.
inline size_t length_of(List list, const Profile &profile) {
    switch (list) {
    case List::sites:
    case List::calls:
        return profile.sites.size();
    case List::symbols:
    case List::code:
        return profile.symbols.size();
    case List::events:
        return profile.events.size();
    case List::functions:
        return profile.functions.size();
    }
    return 0;
}

}  // namespace fields
}  // namespace thalweg::model
