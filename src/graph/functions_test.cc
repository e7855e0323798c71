// graph: tests of flat profile and call graph, on trees whose sums are done by hand.
#include "graph/functions.h"

#include <gtest/gtest.h>

namespace thalweg::graph {
namespace {

using model::FunctionProfile;
using model::FunctionRole;
using model::none;

enum Function : uint32_t { entry, work, leaf };

FunctionProfile run_of(std::vector<model::CallNode> nodes) {
    FunctionProfile run{.command = {"./program"}, .tool = "callgrind"};
    run.functions = {{"main", "program", {}}, {"work", "program", {}}, {"leaf", "program", {}}};
    run.nodes = std::move(nodes);
    return run;
}

TEST(CallGraph, adds_up_what_a_function_costs_itself_and_with_its_callees) {
    const FunctionProfile run = run_of({{none, entry, 1, 1}, {0, work, 10, 2}, {1, leaf, 100, 4}, {0, leaf, 1000, 1}});
    const model::CallGraph graph = call_graph_of(run);
    EXPECT_EQ(graph.total, 1111u);
    EXPECT_EQ(graph.functions[entry], (model::FunctionCost{1, 1111, 1}));
    EXPECT_EQ(graph.functions[work], (model::FunctionCost{10, 110, 2}));
    EXPECT_EQ(graph.functions[leaf], (model::FunctionCost{1100, 1100, 5}));
    ASSERT_EQ(graph.edges.size(), 3u);
    EXPECT_EQ(graph.edges[0], (model::CallEdge{entry, work, 110, 2}));
    EXPECT_EQ(graph.edges[1], (model::CallEdge{entry, leaf, 1000, 1}));
    EXPECT_EQ(graph.edges[2], (model::CallEdge{work, leaf, 100, 4}));
}

TEST(CallGraph, counts_a_function_that_calls_itself_once) {
    const FunctionProfile run = run_of({{none, entry, 0, 1}, {0, work, 5, 1}, {1, work, 5, 1}, {2, work, 5, 1}});
    const model::CallGraph graph = call_graph_of(run);
    EXPECT_EQ(graph.functions[work], (model::FunctionCost{15, 15, 3}));
    EXPECT_EQ(graph.edges[0], (model::CallEdge{entry, work, 15, 1}));
    EXPECT_EQ(graph.edges[1], (model::CallEdge{work, work, 10, 2}));
}

TEST(CallGraph, counts_two_functions_that_call_each_other_once) {
    const FunctionProfile run = run_of({{none, work, 1, 1}, {0, leaf, 2, 1}, {1, work, 4, 1}, {2, leaf, 8, 1}});
    const model::CallGraph graph = call_graph_of(run);
    EXPECT_EQ(graph.functions[work].inclusive, 15u);
    EXPECT_EQ(graph.functions[leaf].inclusive, 14u);
    ASSERT_EQ(graph.edges.size(), 2u);
    EXPECT_EQ(graph.edges[0], (model::CallEdge{work, leaf, 14, 2}));
    EXPECT_EQ(graph.edges[1], (model::CallEdge{leaf, work, 12, 1}));
}

TEST(CallGraph, of_nothing_is_empty) { EXPECT_EQ(call_graph_of(FunctionProfile{}), model::CallGraph{}); }

model::Profile recorded() {
    model::Profile profile;
    profile.sites = {{"main", 0, 1, model::SiteKind::event, {}}, {"leaf", 0, 1, model::SiteKind::wait, {}}};
    profile.symbols = {{.name = "work"}, {.name = "not_seen"}};
    profile.events = {{"Readable", model::SiteKind::event, 9, 0}, {"wait", model::SiteKind::wait, 9, 0}};
    profile.sequences = {{0, 0, {{0}, {1}}, false, 6}, {0, 0, {{0}}, false, 3}, {1, 1, {{1}}, false, 9}};
    profile.functions = {{{"main", 0, 10, {}, {}}, 77}};
    return profile;
}

TEST(Join, tells_handlers_dispatches_layers_and_waits) {
    FunctionProfile run = run_of({});
    join(run, recorded(), {"main", "not_seen"});
    const std::vector<model::RoleOf> of_main = {{FunctionRole::dispatch, "Readable", 9}, {FunctionRole::layer, "", 77}};
    EXPECT_EQ(run.functions[entry].roles, of_main);
    EXPECT_EQ(run.functions[work].roles, (std::vector<model::RoleOf>{{FunctionRole::handler, "Readable", 9}}));
    EXPECT_EQ(run.functions[leaf].roles, (std::vector<model::RoleOf>{{FunctionRole::wait, "", 0}}));
}

TEST(Join, says_the_same_when_it_is_done_again_and_leaves_other_roles) {
    FunctionProfile run = run_of({});
    run.functions[work].roles = {{FunctionRole::system_call, "read", 0}};
    join(run, recorded(), {});
    const FunctionProfile once = run;
    join(run, recorded(), {});
    EXPECT_EQ(run, once);
    EXPECT_EQ(run.functions[work].roles.size(), 2u);
}

}  // namespace
}  // namespace thalweg::graph
