// model: random artefacts for tests with rapidcheck: valid ones, and ones with anything in them.
#pragma once

#include <rapidcheck.h>

#include "model/limits.h"
#include "model/plan.h"
#include "model/profile.h"

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

inline Site site() {
    return {name(), small(), *rc::gen::arbitrary<uint64_t>(), *rc::gen::element(SiteKind::event, SiteKind::list),
            place()};
}

inline Site call_site() {
    Site call = site();
    call.kind = SiteKind::call;
    call.callee = *rc::gen::element<std::string>("read", "write");
    return call;
}

inline Symbol symbol() {
    return {name(),
            *rc::gen::weightedElement<bool>({{4, true}, {1, false}}),
            *rc::gen::weightedElement<bool>({{6, true}, {1, false}}),
            below(3),
            below(300),
            place()};
}

inline RaiseMode mode() {
    return *rc::gen::weightedElement<RaiseMode>(
        {{6, RaiseMode::sync}, {1, RaiseMode::async}, {1, RaiseMode::timed}, {1, RaiseMode::external}});
}

template <class Make>
auto several(size_t most, Make make) {
    std::vector<decltype(make())> all(below(most + 1));
    for (auto &one : all)
        one = make();
    return all;
}

inline FunctionBody body() { return {name(), *rc::gen::arbitrary<uint64_t>(), below(300), place(), {}}; }

inline FactPlace fact_place(size_t functions) {
    FactPlace at{below(functions),
                 *rc::gen::element(FactKind::argument, FactKind::load),
                 small(),
                 1u << below(4),
                 *rc::gen::element(Steers::branch, Steers::choice, Steers::call),
                 place(),
                 {}};
    if (at.kind == FactKind::load && small() == 0)
        at.call = CallPlace{below(functions), small(), place()};
    return at;
}

inline NotedFact noted_fact(size_t functions, size_t symbols) {
    const FactPlace at = fact_place(functions);
    NotedFact fact{at.function, at.kind,  at.ordinal,   at.width, at.steers,
                   at.place,    weight(), small() == 0, {},       at.call};
    if (!fact.varies)
        fact.values = several(3, [&] {
            return NotedValue{fact.width == 8 && small() == 0 ? below(symbols) : none, below(200), weight()};
        });
    return fact;
}

// Some counts are estimates.
inline void doubt_counts(Profile &profile) {
    const auto doubt = [](auto &entries) {
        for (auto &entry : entries)
            entry.error = small() == 0 ? weight() : 0;
    };
    for (Event &event : profile.events)
        if (small() != 0)
            event.time = {1 + weight() % 1000, max_count, weight(), weight(), weight()};
    doubt(profile.events);
    doubt(profile.edges);
    doubt(profile.sequences);
    doubt(profile.nestings);
    doubt(profile.functions);
}

// Valid, with at least one site, event and function.
inline Profile profile() {
    Profile profile{.program = name(), .build_id = "b1", .command = name(), .instructions = below(100000)};
    profile.sites = several(4, site);
    profile.sites.push_back(site());
    profile.sites.back().kind = *rc::gen::element(SiteKind::event, SiteKind::list, SiteKind::trigger, SiteKind::wait);
    profile.sites.push_back(call_site());
    profile.symbols = several(8, symbol);
    profile.symbols.push_back({"function", true, true, 1, 30, {}});
    profile.events = several(4, [] { return Event{name(), SiteKind::event, weight(), weight()}; });
    profile.events.push_back({"event", SiteKind::list, weight(), 0});
    std::vector<uint32_t> functions{none};
    for (uint32_t i = 0; i < profile.symbols.size(); ++i)
        if (profile.symbols[i].is_function)
            functions.push_back(i);
    auto event = [&] { return below(profile.events.size()); };
    auto at = [&] { return below(profile.sites.size()); };
    auto function = [&] { return *rc::gen::elementOf(functions); };
    auto target = [&] {
        return Target{function(), small() == 0 ? below(profile.symbols.size()) : none, below(64),
                      small() == 0 ? 1u : 0u};
    };
    profile.edges = several(12, [&] { return Edge{event(), event(), mode(), weight()}; });
    profile.sequences =
        several(8, [&] { return Sequence{at(), event(), several(4, target), below(8) == 0, weight()}; });
    profile.nestings =
        several(12, [&] { return Nesting{event(), at(), small(), function(), event(), at(), mode(), weight()}; });
    // Nestings that speak of recorded sequences, as real ones do.
    for (const Sequence &sequence : profile.sequences)
        for (uint32_t i = 0; i < sequence.targets.size(); ++i)
            if (small() != 0)
                profile.nestings.push_back(
                    {sequence.event, sequence.site, i, sequence.targets[i].function, event(), at(), mode(), weight()});
    profile.guards = several(3, [] { return GuardCount{small(), name(), weight(), weight()}; });
    profile.functions = several(3, [] { return ProfiledFunction{body(), weight()}; });
    profile.functions.push_back({{"function", 1, 30, {"a.cc", 1, 0}, {}}, weight()});
    for (ProfiledFunction &one : profile.functions) {
        one.body.place.column = 0;
        one.body.calls = several(2, [&] { return below(profile.functions.size()); });
    }
    doubt_counts(profile);
    profile.facts = several(6, [&] { return noted_fact(profile.functions.size(), profile.symbols.size()); });
    profile.computations = several(3, [&] {
        const uint64_t notes = weight();
        return NotedComputation{{below(profile.functions.size()), small(), small(), small()}, notes, notes / 2};
    });
    const uint32_t call = static_cast<uint32_t>(profile.sites.size()) - 1;
    profile.system_calls = several(1, [&] {
        const uint64_t calls = weight();
        const uint64_t timed = calls / 6;
        return NotedSystemCall{
            call, calls, calls / 4, calls / 3, calls / 2, weight(), weight(), timed, timed == 0 ? 0 : weight()};
    });
    profile.system_call_edges = several(1, [&] {
        const uint64_t edges = weight();
        const uint64_t timed = edges / 6, between = timed == 0 ? 0 : weight();
        return SystemCallEdge{call,      call,      edges, edges / 2, edges / 3,
                              edges / 4, edges / 5, timed, between,   between / 3};
    });
    profile.call_clock = *rc::gen::element(CallClock::probes, CallClock::strace, CallClock::perf, CallClock::several);
    profile.releases = several(1, [&] { return Release{call, call, weight()}; });
    profile.counts =
        several(3, [&] { return FunctionCounts{name(), *rc::gen::arbitrary<uint64_t>(), several(4, weight)}; });
    uint64_t dispatches = weight();
    profile.coverage = {dispatches, dispatches / 2, weight(), 1, 2, 3};
    return profile;
}

inline Fact fact() {
    Fact fact;
    fact.kind = *rc::gen::element(FactKind::argument, FactKind::load, FactKind::memory);
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

inline Decision decision(uint32_t id, uint32_t parent) {
    Decision decision;
    decision.id = id;
    decision.kind = parent != 0 ? DecisionKind::subsume : DecisionKind::merge;
    if (parent == 0 && small() == 0)
        decision.kind =
            *rc::gen::element(DecisionKind::specialize, DecisionKind::cache, DecisionKind::elide, DecisionKind::hoist,
                              DecisionKind::coalesce, DecisionKind::fuse, DecisionKind::overlap);
    decision.parent = parent;
    decision.chain = parent != 0 && small() == 0;
    decision.verdict = *rc::gen::element(Verdict::apply, Verdict::refuse);
    decision.event = name();
    decision.site = is_of_system_calls(decision.kind) ? call_site() : site();
    if (decision.kind == DecisionKind::specialize) {
        decision.facts = several(3, fact);
        decision.facts.push_back(fact());
    } else if (is_of_system_calls(decision.kind)) {
        decision.group = several(3, call_site);
        if (decision.kind == DecisionKind::overlap)
            decision.independent = {{below(1u << 30), small(), {small(), small()}}};
    } else if (decision.kind != DecisionKind::cache) {
        decision.targets = several(3, [] {
            bool context = small() == 0;
            return PlannedTarget{name(), context ? name() : "", context ? weight() : 0, small()};
        });
        decision.targets.push_back({.function = name()});
    }
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
