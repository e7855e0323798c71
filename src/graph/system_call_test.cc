// graph: the system-call graph of programs whose calls are known.
#include "graph/system_call.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "model/arbitrary_test.h"

namespace thalweg::graph {
namespace {

using model::CallSequence;
using model::Profile;

// The paper's copy program (Figure 1): open, creat, then read and write in a loop, then close twice.
Profile copy_program() {
    Profile profile;
    for (const char *callee : {"open", "creat", "read", "write", "close", "close"})
        profile.sites.push_back({.function = "main",
                                 .ordinal = static_cast<uint32_t>(profile.sites.size()),
                                 .kind = model::SiteKind::call,
                                 .callee = callee});
    profile.system_call_edges = {{0, 1, 1, 0, 0, 0, 0},     {1, 2, 1, 0, 0, 0, 0}, {2, 3, 500, 0, 500, 500, 0},
                                 {3, 2, 499, 0, 499, 0, 0}, {2, 4, 1, 1, 0, 0, 0}, {4, 5, 1, 0, 0, 0, 0}};
    return profile;
}

TEST(SystemCallGraph, TheLoopOfTheCopyProgramIsOneSequenceThatRepeats) {
    const model::SystemCallGraph graph = system_call_graph_of(copy_program(), 100);
    EXPECT_EQ(graph.sequences, (std::vector<CallSequence>{{{2, 3}, 500, 499}}));
    ASSERT_EQ(graph.edges.size(), 2u);
    EXPECT_EQ(graph.edges[0].result_is_size, 500u);
    EXPECT_EQ(graph.edges[1].weight, 499u);
}

TEST(SystemCallGraph, WhatHappensOnceIsNoPartOfTheLoop) {
    const model::SystemCallGraph graph = system_call_graph_of(copy_program(), 1);
    EXPECT_EQ(graph.sequences, (std::vector<CallSequence>{{{2, 3}, 500, 499}, {{0, 1, 2, 4, 5}, 1, 0}}));
    EXPECT_EQ(graph.edges.size(), 6u);
}

TEST(SystemCallGraph, ACallThatFollowsItselfRepeats) {
    Profile profile = copy_program();
    profile.system_call_edges = {{3, 3, 80, 80, 0, 0, 80}};
    EXPECT_EQ(system_call_graph_of(profile, 1).sequences, (std::vector<CallSequence>{{{3}, 80, 80}}));
}

TEST(SystemCallGraph, OfNoCallsIsEmpty) {
    EXPECT_EQ(default_call_eta({}), 1u);
    EXPECT_TRUE(system_call_graph_of({}, 1).sequences.empty());
}

TEST(SystemCallGraph, EtaIsAThousandthOfAllTransitions) {
    Profile profile = copy_program();
    profile.system_call_edges[2].weight = 1'000'000;
    EXPECT_EQ(default_call_eta(profile), 1000u);
}

TEST(SystemCallGraph, EverySequenceIsAPathOfTheGraph) {
    EXPECT_TRUE(rc::check([] {
        const uint32_t count = 2 + model::arbitrary::below(6);
        Profile profile;
        profile.sites.resize(count, {.kind = model::SiteKind::call});
        profile.system_call_edges = model::arbitrary::several(12, [&] {
            return model::SystemCallEdge{model::arbitrary::below(count),
                                         model::arbitrary::below(count),
                                         1 + model::arbitrary::below(9),
                                         0,
                                         0,
                                         0,
                                         0};
        });
        const model::SystemCallGraph graph = system_call_graph_of(profile, 2);
        for (const CallSequence &sequence : graph.sequences)
            for (size_t i = 0; i + 1 < sequence.sites.size(); ++i)
                RC_ASSERT(std::any_of(graph.edges.begin(), graph.edges.end(), [&](const model::SystemCallEdge &edge) {
                    return edge.from == sequence.sites[i] && edge.to == sequence.sites[i + 1] &&
                           edge.weight >= sequence.weight;
                }));
    }));
}

}  // namespace
}  // namespace thalweg::graph
