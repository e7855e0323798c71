// model: random artefacts for tests with rapidcheck: valid ones, and ones with anything in them.
#pragma once

#include <rapidcheck.h>

#include "model/plan_fields.h"
#include "model/profile_fields.h"

namespace thalweg::model::arbitrary {

// Few different names, so that random artefacts speak of the same things.
inline std::string name() {
    return *rc::gen::elementOf(std::vector<std::string>{"a", "on_data", "_ZN3net7Session4sendEv", "with \"quote\" \\",
                                                        "line\nbreak\x01", "gr\xc3\xbc\xc3\x9f"});
}

inline uint64_t weight() {
    return *rc::gen::weightedOneOf<uint64_t>(
        {{9, rc::gen::inRange<uint64_t>(0, 5000)}, {1, rc::gen::inRange<uint64_t>(0, max_count)}});
}

inline uint32_t below(size_t size) { return *rc::gen::inRange<uint32_t>(0, static_cast<uint32_t>(size)); }

inline uint32_t small() { return below(4); }

inline SourcePlace place() { return {*rc::gen::element<std::string>("", "a.cc", "b.cc"), below(100), below(100)}; }

template <class Make>
auto several(size_t most, Make make) {
    std::vector<decltype(make())> all(below(most + 1));
    for (auto &one : all)
        one = make();
    return all;
}

// ---- any entry of a profile, as the rows of its fields say ----

// A place in the list, of which there is at least one that fits.
inline uint32_t index(fields::List list, const Profile &profile) {
    std::vector<uint32_t> fitting;
    for (uint32_t i = 0; i < length_of(list, profile); ++i)
        if ((list != fields::List::calls || profile.sites[i].kind == SiteKind::call) &&
            (list != fields::List::code || profile.symbols[i].is_function))
            fitting.push_back(i);
    return *rc::gen::elementOf(fitting);
}

template <class Entry>
Entry entry(const Profile &profile);

// Three of four keep the value that is meant for most.
template <class Entry, class Type>
Type value(const fields::Row<Entry, Type> &row, const Entry &in, const Profile &profile) {
    using fields::Role;
    if constexpr (std::is_same_v<Type, std::string>)
        return name();
    else if constexpr (std::is_same_v<Type, SourcePlace>) {
        SourcePlace at = place();
        at.column = row.has_column ? at.column : 0;
        return at;
    } else if constexpr (std::is_same_v<Type, bool>)
        return (Entry{}.*row.member) != (small() == 0);
    else if constexpr (std::is_enum_v<Type>)
        return small() == 0 ? static_cast<Type>(below(row.words.size())) : Entry{}.*row.member;
    else if constexpr (std::is_same_v<Type, uint32_t>) {
        if (row.role == Role::index)
            return row.may_be_none && small() == 0 ? none : index(row.list, profile);
        return row.role == Role::most ? below(300) : small();
    } else {
        const uint64_t whole = row.whole == nullptr ? 0 : in.*row.whole;
        if (row.role == Role::hash)
            return below(200);
        if (row.role == Role::key)
            return below(64);
        if (row.role == Role::error)
            return small() == 0 ? weight() : 0;
        if (row.role == Role::part)
            return whole / (2 + small());
        return row.role == Role::count || row.role == Role::most || whole != 0 ? weight() : 0;
    }
}

template <class Type>
void fill_inside(std::optional<Type> &into, const Profile &profile) {
    if (small() == 0)
        into = entry<Type>(profile);
}
template <class Type>
void fill_inside(Type &into, const Profile &profile) {
    if (small() != 0)
        into = entry<Type>(profile);
}

template <class Entry, class Item>
std::vector<Item> items(const fields::Several<Entry, Item> &, const Profile &profile) {
    if constexpr (std::is_same_v<Item, uint32_t>)
        return {};  // they lead into a list that is not there yet
    else
        return several(3, [&] { return entry<Item>(profile); });
}

// What the fields say together.
template <class Entry>
void mend(Entry &) {}
inline void mend(Site &site) {
    if (site.kind == SiteKind::call)
        site.kind = SiteKind::event;
    site.callee.clear();
}
inline void mend(EventTime &time) {
    time = time.timed == 0 ? EventTime{} : time;  // nothing was timed
    time.own_ns = std::min(time.own_ns, time.inside_ns);
}
inline void mend(NotedValue &value) {
    if (small() != 0)
        value.symbol = none;
}
inline void mend(NotedFact &fact) {
    fact.width = 1u << below(4);
    if (fact.kind != FactKind::load)
        fact.call.reset();
    if (fact.varies)
        fact.values.clear();
    for (NotedValue &value : fact.values)
        if (fact.width != 8)
            value.symbol = none;
}
inline void mend(SystemCallEdge &edge) { edge.least_ns = std::min(edge.least_ns, edge.between_ns); }

template <class Entry>
Entry entry(const Profile &profile) {
    Entry made{};
    const auto each = [&]<class R>(const R &row, auto &in) {
        auto &field = in.*row.member;
        if constexpr (fields::is_row<R>)
            field = value(row, in, profile);
        else if constexpr (fields::is_nested<R>)
            fill_inside(field, profile);
        else
            field = items(row, profile);
    };
    fields::each_with_entry(fields::Of<Entry>::rows, each, made);
    mend(made);
    return made;
}

inline Site site() { return entry<Site>({}); }

inline Site call_site() {
    Site call = site();
    call.kind = SiteKind::call;
    call.callee = *rc::gen::element<std::string>("read", "write");
    return call;
}

inline RaiseMode mode() {
    return *rc::gen::weightedElement<RaiseMode>(
        {{6, RaiseMode::sync}, {1, RaiseMode::async}, {1, RaiseMode::timed}, {1, RaiseMode::external}});
}

inline FactPlace fact_place(size_t functions) {
    FactPlace at{below(functions),
                 *rc::gen::element(FactKind::argument, FactKind::load, FactKind::result),
                 small(),
                 1u << below(4),
                 *rc::gen::element(Steers::branch, Steers::choice, Steers::call),
                 place(),
                 {}};
    if (at.kind == FactKind::load && small() == 0)
        at.call = CallPlace{below(functions), small(), place()};
    return at;
}

// Nestings that speak of recorded sequences, as real ones do.
inline void nest(Profile &profile) {
    for (const Sequence &sequence : profile.sequences)
        for (uint32_t i = 0; i < sequence.targets.size(); ++i)
            if (small() != 0) {
                Nesting nesting = entry<Nesting>(profile);
                nesting.parent_event = sequence.event;
                nesting.parent_site = sequence.site;
                nesting.position = i;
                nesting.handler = sequence.targets[i].function;
                profile.nestings.push_back(nesting);
            }
}

// Valid, with at least one site, event and function.
inline Profile profile() {
    Profile profile{.program = name(), .build_id = "b1", .command = name(), .instructions = below(100000)};
    profile.call_clock = *rc::gen::element(CallClock::probes, CallClock::strace, CallClock::perf, CallClock::several);
    const auto make = [&]<class Entry>(const fields::ListRow<Entry> &, std::vector<Entry> &entries) {
        entries = several(8, [&] { return entry<Entry>(profile); });
        // Into these others lead.
        if constexpr (std::is_same_v<Entry, Site>) {
            entries.push_back(site());
            entries.push_back(call_site());
        } else if constexpr (std::is_same_v<Entry, Symbol>) {
            entries.push_back({"function", true, true, 1, 30, {}});
        } else if constexpr (std::is_same_v<Entry, Event> || std::is_same_v<Entry, ProfiledFunction>) {
            entries.push_back(entry<Entry>(profile));
        }
    };
    fields::each_list(make, profile);
    for (ProfiledFunction &one : profile.functions)
        one.body.calls = several(2, [&] { return below(profile.functions.size()); });
    nest(profile);
    profile.counts =
        several(3, [&] { return FunctionCounts{name(), *rc::gen::arbitrary<uint64_t>(), several(4, weight)}; });
    profile.coverage = entry<Coverage>(profile);
    return profile;
}

inline Fact fact() {
    Fact fact;
    fact.kind = *rc::gen::element(FactKind::argument, FactKind::load, FactKind::result, FactKind::memory);
    fact.function = name();
    fact.ordinal = small();
    fact.width = 1u << below(4);
    fact.body_hash = *rc::gen::arbitrary<uint64_t>();
    if (fact.kind == FactKind::memory)
        fact.path = *rc::gen::nonEmpty(rc::gen::resize(4, rc::gen::arbitrary<std::vector<int64_t>>()));
    fact.values = several(3, [&] {
        FactValue value{fact.width == 8 && small() == 0 ? name() : "", *rc::gen::arbitrary<uint64_t>()};
        if (fact.width < 8)
            value.bits &= (uint64_t{1} << (8 * fact.width)) - 1;
        return value;
    });
    fact.values.push_back({.bits = 5});
    fact.trusted = small() == 0;
    fact.place = place();
    if (fact.kind == FactKind::load && small() == 0)
        fact.call = FactCall{name(), small(), *rc::gen::arbitrary<uint64_t>(), place()};
    return fact;
}

// The lists of a decision's kind, filled.
inline Work work(DecisionKind kind) {
    Work work = work_of(kind);
    const auto fill = [](const auto &, auto &field) {
        using Field = std::remove_cvref_t<decltype(field)>;
        if constexpr (std::is_same_v<Field, std::vector<Fact>>) {
            field = several(3, fact);
            field.push_back(fact());
        } else if constexpr (std::is_same_v<Field, std::vector<Site>>) {
            field = several(3, call_site);
        } else if constexpr (std::is_same_v<Field, std::vector<IndependentCalls>>) {
            field = {{below(1u << 30), small(), {small(), small()}}};
        } else if constexpr (std::is_same_v<Field, std::vector<PlannedTarget>>) {
            field = several(3, [] {
                bool context = small() == 0;
                return PlannedTarget{name(), context ? name() : "", context ? weight() : 0, small()};
            });
            field.push_back({.function = name()});
        } else if constexpr (std::is_same_v<Field, bool>) {
            field = small() == 0;
        }
    };
    std::visit([&](auto &one) { fields::each_in(fill, one); }, work);
    return work;
}

inline Decision decision(uint32_t id, uint32_t parent) {
    Decision decision;
    decision.id = id;
    decision.parent = parent;
    decision.work = work(parent != 0 ? DecisionKind::subsume : DecisionKind::merge);
    const auto other = static_cast<DecisionKind>(below(std::variant_size_v<Work>));
    if (parent == 0 && other != DecisionKind::subsume)
        decision.work = work(other);
    decision.verdict = *rc::gen::element(Verdict::apply, Verdict::refuse);
    decision.event = name();
    decision.site = is_of_calls(decision.kind()) ? call_site() : site();
    decision.provenance = static_cast<Provenance>(below(3));
    decision.alternative = small();
    decision.weight = weight();
    decision.share = below(1001) / 1000.0;
    decision.predicted_gain_ns = *rc::gen::suchThat(rc::gen::arbitrary<double>(), [](double x) { return x - x == 0; });
    decision.predicted_gain_total_ms = below(1000) / 7.0;
    decision.growth_instructions = *rc::gen::arbitrary<uint32_t>();
    decision.guard = name();
    decision.reason = name();
    decision.refusal = decision.verdict == Verdict::refuse ? "too-cold" : "";
    return decision;
}

inline Plan plan() {
    Plan plan{.program = name(), .build_id = name(), .costs = name()};
    for (uint32_t id = 1, last = below(6); id <= last; ++id)
        plan.decisions.push_back(decision(id, below(id)));
    return plan;
}

} // namespace thalweg::model::arbitrary
