// graph: the graphs of traces worked out by hand, and what holds for those of any trace.
#include "graph/event.h"

#include <algorithm>
#include <map>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "model/arbitrary_test.h"

namespace thalweg::graph {
namespace {

using model::Edge;
using model::EventGraph;
using model::EventPath;
using model::Raise;
using model::RaiseMode;
using testing::ElementsAre;

constexpr auto sync = RaiseMode::sync;
constexpr auto async = RaiseMode::async;
constexpr auto timed = RaiseMode::timed;

using Events = std::vector<uint32_t>;

// A trace in letters: A is event 0; a lower-case letter was raised asynchronously.
std::vector<Raise> trace(const std::string &letters) {
    std::vector<Raise> raises;
    for (char c : letters) {
        bool lower = c >= 'a' && c <= 'z';
        raises.push_back({static_cast<uint32_t>(c - (lower ? 'a' : 'A')), lower ? async : sync});
    }
    return raises;
}

uint64_t weight_sum(const EventGraph &graph) {
    uint64_t sum = 0;
    for (const Edge &edge : graph.edges)
        sum += edge.weight;
    return sum;
}

TEST(EventGraph, of_a_trace_worked_out_by_hand) {
    EventGraph graph = build_event_graph(trace("ABABCbA"), 3);
    EXPECT_THAT(graph.edges,
                ElementsAre(Edge{0, 1, sync, 2}, Edge{1, 0, sync, 2}, Edge{1, 2, sync, 1}, Edge{2, 1, async, 1}));
}

TEST(EventGraph, of_an_empty_trace_or_a_single_raise_has_no_edge) {
    EXPECT_TRUE(build_event_graph({}, 1).edges.empty());
    EXPECT_TRUE(build_event_graph(trace("A"), 1).edges.empty());
}

// Like the paper's Figures 5 and 6: a sender that segments user messages, a clock, and rare set-up events; the weights are
// of the size of the figure's. 0 Open, 1 SegFromUser, 2 Seg2Net, 3 Adapt (timed), 4 SegFromNet (external), 5 Seg2User,
// 6 Resize.
EventGraph video_player() {
    return {7,
            {{0, 1, sync, 1},
             {1, 2, sync, 391},
             {2, 1, async, 350},
             {2, 3, timed, 40},
             {3, 4, RaiseMode::external, 38},
             {3, 6, sync, 2},
             {4, 5, sync, 388},
             {5, 4, RaiseMode::external, 310},
             {6, 4, RaiseMode::external, 2}}};
}

TEST(ReducedEventGraph, keeps_just_the_edges_of_at_least_eta) {
    EventGraph reduced = reduce(video_player(), 300);
    EXPECT_THAT(reduced.edges, ElementsAre(Edge{1, 2, sync, 391}, Edge{2, 1, async, 350}, Edge{4, 5, sync, 388},
                                           Edge{5, 4, RaiseMode::external, 310}));
    EXPECT_EQ(reduce(video_player(), 391).edges.size(), 1u);
    EXPECT_TRUE(reduce(video_player(), 392).edges.empty());
}

TEST(EventPath, is_one_on_which_no_edge_weighs_less_than_eta) {
    EventGraph graph = video_player();
    EXPECT_TRUE(is_event_path(graph, Events{1, 2, 1}, 350));
    EXPECT_FALSE(is_event_path(graph, Events{1, 2, 1}, 351));
    EXPECT_FALSE(is_event_path(graph, Events{1, 3}, 1));
    EXPECT_FALSE(is_event_path(graph, Events{1}, 1));
}

TEST(EventPath, grows_as_eta_falls) {
    EXPECT_THAT(event_paths(reduce(video_player(), 300)), ElementsAre(EventPath{{1, 2}, 391}, EventPath{{4, 5}, 388},
                                                                      EventPath{{2, 1}, 350}, EventPath{{5, 4}, 310}));
    EXPECT_EQ(event_paths(reduce(video_player(), 38))[0], (EventPath{{1, 2, 3, 4, 5}, 38}));
}

TEST(EventChain, needs_exactly_one_synchronous_successor_at_each_event_but_the_last) {
    // B is followed by C or D: A -> B is a chain, nothing leads on from B.
    EventGraph forked = build_event_graph(trace("ABCaBDaBC"), 4);
    EXPECT_THAT(event_chains(forked), ElementsAre(EventPath{{0, 1}, 3}));
    EXPECT_FALSE(is_event_chain(forked, Events{0, 1, 2}));
    EXPECT_TRUE(is_event_chain(forked, Events{0, 1}));
}

TEST(EventChain, ignores_asynchronous_successors_and_does_not_lead_over_them) {
    EventGraph graph{4, {{0, 1, sync, 9}, {0, 3, async, 5}, {1, 2, timed, 9}, {2, 3, sync, 4}}};
    EXPECT_THAT(event_chains(graph), ElementsAre(EventPath{{0, 1}, 9}, EventPath{{2, 3}, 4}));
    EXPECT_FALSE(is_event_chain(graph, Events{0, 1, 2}));
}

TEST(EventChain, of_the_video_player) {
    EXPECT_THAT(event_chains(reduce(video_player(), 300)), ElementsAre(EventPath{{1, 2}, 391}, EventPath{{4, 5}, 388}));
    // The chain survives the rare raise of Resize, for that leaves Adapt.
    EXPECT_THAT(event_chains(video_player()),
                ElementsAre(EventPath{{0, 1, 2}, 1}, EventPath{{3, 6}, 2}, EventPath{{4, 5}, 388}));
}

TEST(EventChain, of_a_ring_is_cut_at_its_lightest_edge) {
    // Five events that raise each other in turn; main raises the first one again and again.
    std::string rounds;
    for (int i = 0; i < 10; ++i)
        rounds += "CDEAB";
    EXPECT_THAT(event_chains(build_event_graph(trace(rounds), 5)), ElementsAre(EventPath{{2, 3, 4, 0, 1}, 10}));
}

TEST(EventChain, may_lead_into_another) {
    EventGraph graph{4, {{0, 2, sync, 1}, {1, 2, sync, 1}, {2, 3, sync, 1}, {3, 3, sync, 1}}};
    EXPECT_THAT(event_chains(graph), ElementsAre(EventPath{{0, 2, 3}, 1}, EventPath{{1, 2, 3}, 1}));
}

// The paper's Figure 8: SegFromUser (0) with handlers FEC-SFU1 (0), SeqSegSFU (1), TDriver-SFU (2), FEC-SFU2 (3); TDriver-SFU
// raises Seg2Net (1) with PAU-S2N (4), WFC-S2N (5), FEC-S2N (6), TD-S2N (7).
model::Profile figure_8() {
    model::Profile profile;
    profile.sites = {{"send_segment", 0, 1, model::SiteKind::event, {}},
                     {"tdriver_sfu", 0, 1, model::SiteKind::event, {}}};
    for (const char *name :
         {"fec_sfu1", "seq_seg_sfu", "tdriver_sfu", "fec_sfu2", "pau_s2n", "wfc_s2n", "fec_s2n", "td_s2n"})
        profile.symbols.push_back({name, true, true, 1, 30, {}});
    profile.events = {{"SegFromUser", model::SiteKind::event, 391, 0}, {"Seg2Net", model::SiteKind::event, 391, 0}};
    profile.edges = {{0, 1, sync, 391}, {1, 0, async, 390}};
    profile.sequences = {{0, 0, {{0}, {1}, {2}, {3}}, false, 391}, {1, 1, {{4}, {5}, {6}, {7}}, false, 391}};
    profile.nestings = {{0, 0, 2, 2, 1, 1, sync, 391}};
    return profile;
}

std::map<std::pair<uint32_t, uint32_t>, uint64_t> steps(const model::HandlerGraph &graph) {
    std::map<std::pair<uint32_t, uint32_t>, uint64_t> all;
    for (const model::HandlerEdge &edge : graph.edges)
        all[{graph.vertices[edge.from].function, graph.vertices[edge.to].function}] += edge.weight;
    return all;
}

TEST(HandlerGraph, of_figure_8_is_the_same_from_counters_and_from_the_trace) {
    std::vector<model::HandlerVertex> trace;
    for (int round = 0; round < 391; ++round)
        for (uint32_t function : {0, 1, 2, 4, 5, 6, 7, 3})
            trace.push_back({function < 4 ? 0u : 1u, function});
    auto from_trace = steps(build_handler_graph(trace));
    from_trace.erase({3, 0});  // from one dispatch to the next: counters of one dispatch do not see it
    EXPECT_EQ(steps(handler_graph_of(figure_8())), from_trace);
    EXPECT_EQ(from_trace.size(), 7u);
}

TEST(HandlerGraph, tells_raise_and_return_from_the_next_handler) {
    model::HandlerGraph graph = handler_graph_of(figure_8());
    using model::HandlerStep;
    std::map<std::pair<uint32_t, uint32_t>, HandlerStep> kinds;
    for (const model::HandlerEdge &edge : graph.edges)
        kinds[{graph.vertices[edge.from].function, graph.vertices[edge.to].function}] = edge.step;
    EXPECT_EQ(kinds[std::make_pair(2u, 4u)], HandlerStep::raised);
    EXPECT_EQ(kinds[std::make_pair(7u, 3u)], HandlerStep::returned);
    EXPECT_EQ(kinds[std::make_pair(0u, 1u)], HandlerStep::next);
    EXPECT_FALSE(kinds.contains({2, 3}));
}

TEST(Subsumption, of_figure_8_is_a_chain_that_is_raised_each_time) {
    model::Graphs graphs = build(figure_8(), 300);
    ASSERT_EQ(graphs.subsumptions.size(), 1u);
    EXPECT_EQ(graphs.subsumptions[0], (model::Subsumption{0, 391, 1.0, true}));
}

TEST(Subsumption, is_not_offered_for_what_is_raised_asynchronously) {
    model::Profile profile = figure_8();
    profile.nestings[0].mode = timed;
    EXPECT_TRUE(build(profile, 300).subsumptions.empty());
}

TEST(DefaultEta, is_a_thousandth_of_all_transitions_and_at_least_one) {
    model::Profile profile = figure_8();
    EXPECT_EQ(default_eta(profile), 1u);
    profile.edges[0].weight = 600000;
    EXPECT_EQ(default_eta(profile), 600u);
}

// ---- what holds for any trace ----

std::vector<Raise> random_trace() {
    std::vector<Raise> raises(model::arbitrary::below(200));
    for (Raise &raise : raises)
        raise = {model::arbitrary::below(8), model::arbitrary::mode()};
    return raises;
}

// Traces that repeat rounds, so that chains come about.
std::vector<Raise> random_rounds() {
    std::vector<Raise> raises;
    for (const auto &round :
         model::arbitrary::several(3, [] { return model::arbitrary::several(6, model::arbitrary::weight); }))
        for (uint32_t times = model::arbitrary::below(9); times > 0; --times)
            for (uint64_t event : round)
                raises.push_back({static_cast<uint32_t>(event % 8), event % 5 == 0 ? async : sync});
    return raises;
}

EventGraph random_graph() {
    return build_event_graph(model::arbitrary::small() == 0 ? random_trace() : random_rounds(), 8);
}

TEST(EventGraph, weighs_one_less_than_the_trace_is_long) {
    EXPECT_TRUE(rc::check([] {
        std::vector<Raise> raises = random_trace();
        EventGraph graph = build_event_graph(raises, 8);
        RC_ASSERT(weight_sum(graph) == (raises.empty() ? 0 : raises.size() - 1));
        RC_ASSERT(std::is_sorted(graph.edges.begin(), graph.edges.end()));
    }));
}

TEST(EventGraph, from_recorded_edges_is_the_one_of_the_trace) {
    EXPECT_TRUE(rc::check([] {
        std::vector<Raise> raises = random_trace();
        model::Profile profile;
        profile.events.resize(8);
        for (size_t i = 1; i < raises.size(); ++i)
            profile.edges.push_back({raises[i - 1].event, raises[i].event, raises[i].mode, 1});
        RC_ASSERT(event_graph_of(profile) == build_event_graph(raises, 8));
    }));
}

TEST(ReducedEventGraph, is_a_part_of_the_graph_and_shrinks_as_eta_grows) {
    EXPECT_TRUE(rc::check([] {
        EventGraph graph = random_graph();
        uint64_t eta = model::arbitrary::below(6), more = eta + model::arbitrary::below(6);
        EventGraph reduced = reduce(graph, eta), smaller = reduce(graph, more);
        auto has = [](const EventGraph &whole, const EventGraph &part) {
            return std::includes(whole.edges.begin(), whole.edges.end(), part.edges.begin(), part.edges.end());
        };
        RC_ASSERT(has(graph, reduced));
        RC_ASSERT(has(reduced, smaller));
        RC_ASSERT(reduce(graph, 0) == graph);
        RC_ASSERT(reduce(reduced, more) == smaller);
    }));
}

TEST(EventPath, every_one_found_is_one_and_each_edge_is_on_just_one) {
    EXPECT_TRUE(rc::check([] {
        uint64_t eta = 1 + model::arbitrary::below(4);
        EventGraph reduced = reduce(random_graph(), eta);
        size_t edges = 0;
        for (const EventPath &path : event_paths(reduced)) {
            RC_ASSERT(is_event_path(reduced, path.events, eta));
            RC_ASSERT(path.weight >= eta);
            std::set<uint32_t> different(path.events.begin(), path.events.end());
            RC_ASSERT(different.size() == path.events.size() || path.events.size() == 2);
            edges += path.events.size() - 1;
        }
        RC_ASSERT(edges == reduced.edges.size());
    }));
}

TEST(EventChain, every_one_found_satisfies_both_conditions) {
    EXPECT_TRUE(rc::check([] {
        EventGraph graph = random_graph();
        for (const EventPath &chain : event_chains(graph)) {
            RC_ASSERT(chain.events.size() > 1u);
            for (size_t i = 0; i + 1 < chain.events.size(); ++i) {
                Events successors;
                for (const Edge &edge : graph.edges)
                    if (edge.from == chain.events[i] && edge.mode == sync)
                        successors.push_back(edge.to);
                RC_ASSERT(successors == Events{chain.events[i + 1]});
            }
        }
    }));
}

TEST(EventChain, every_one_found_is_maximal) {
    EXPECT_TRUE(rc::check([] {
        EventGraph graph = random_graph();
        for (const EventPath &chain : event_chains(graph))
            for (uint32_t event = 0; event < graph.vertices; ++event) {
                if (std::count(chain.events.begin(), chain.events.end(), event) != 0)
                    continue;
                Events longer = chain.events;
                longer.push_back(event);
                RC_ASSERT(!is_event_chain(graph, longer));
                longer.pop_back();
                longer.insert(longer.begin(), event);
                RC_ASSERT(!is_event_chain(graph, longer));
            }
    }));
}

TEST(EventChain, every_edge_that_may_be_on_one_is_but_for_one_that_closes_a_ring) {
    EXPECT_TRUE(rc::check([] {
        EventGraph graph = random_graph();
        std::set<std::pair<uint32_t, uint32_t>> on_chains;
        std::vector<EventPath> chains = event_chains(graph);
        for (const EventPath &chain : chains)
            for (size_t i = 1; i < chain.events.size(); ++i)
                on_chains.insert({chain.events[i - 1], chain.events[i]});
        for (const Edge &edge : graph.edges) {
            if (!is_chain_edge(graph, edge.from, edge.to) || on_chains.contains({edge.from, edge.to}))
                continue;
            bool closes_ring = edge.from == edge.to;
            for (const EventPath &chain : chains)
                closes_ring |= chain.events.back() == edge.from &&
                               std::count(chain.events.begin(), chain.events.end(), edge.to) != 0;
            if (edge.mode == sync)
                RC_ASSERT(closes_ring);
        }
    }));
}

TEST(Graphs, of_any_valid_profile_come_out_the_same_twice) {
    EXPECT_TRUE(rc::check([] {
        model::Profile profile = model::arbitrary::profile();
        model::Graphs graphs = build(profile, default_eta(profile));
        RC_ASSERT(build(profile, default_eta(profile)) == graphs);
        for (const model::HandlerEdge &edge : graphs.handlers.edges) {
            RC_ASSERT(edge.from < graphs.handlers.vertices.size());
            RC_ASSERT(edge.to < graphs.handlers.vertices.size());
            RC_ASSERT(edge.weight > 0u);
        }
    }));
}

}  // namespace
}  // namespace thalweg::graph
