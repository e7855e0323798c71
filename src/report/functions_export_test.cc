// report: tests of what is exported of a run's functions; tests/functions reads it by the programs it is for.
#include "report/functions_export.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <protozero/pbf_reader.hpp>

namespace thalweg::report {
namespace {

using model::none;
using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

// main calls work, which calls leaf and itself.
model::FunctionProfile sampled() {
    model::FunctionProfile run{.command = {"./p"}, .tool = "perf"};
    run.functions = {{"main", "/bin/p", {}}, {"work;a", "/bin/p", {}}, {"=leaf", "/bin/p", {}}};
    run.nodes = {{none, 0, 0, 0}, {0, 1, 1000, 1}, {1, 2, 3000, 3}, {1, 1, 1000, 1}};
    run.threads = {{7, 7, "p"}, {7, 8, "other"}};
    return run;
}

model::CallGraph graph() {
    model::CallGraph graph{.total = 5000};
    graph.functions = {{0, 5000, 0}, {2000, 5000, 2}, {3000, 3000, 3}};
    graph.edges = {{0, 1, 5000, 2}, {1, 1, 1000, 1}, {1, 2, 3000, 3}};
    return graph;
}

// "name begin duration", in microseconds, of one thread, in the order of their begins.
std::vector<std::string> boxes(const model::FunctionProfile &run, uint64_t thread) {
    std::vector<std::pair<double, std::string>> found;
    const json document = json::parse(chrome_trace(run));
    for (const json &event : document["traceEvents"])
        if (event["ph"] == "X" && event["tid"] == thread)
            found.emplace_back(event["ts"],
                               event["name"].get<std::string>() + " " + event["ts"].dump() + " " + event["dur"].dump());
    std::ranges::sort(found);
    std::vector<std::string> lines;
    for (auto &[begin, line] : found)
        lines.push_back(std::move(line));
    return lines;
}

TEST(Trace, keeps_a_function_that_goes_on_as_one_box) {
    model::FunctionProfile run = sampled();
    run.samples = {{0, 1000, 0, 2}, {1000, 1000, 0, 2}, {2010, 1000, 0, 1}, {3000, 1000, 0, 2}};
    EXPECT_EQ(boxes(run, 7),
              (std::vector<std::string>{"=leaf 0.0 2.0", "main 0.0 4.0", "work;a 0.0 4.0", "=leaf 3.01 0.99"}));
}

TEST(Trace, leaves_a_gap_where_a_thread_did_not_run) {
    model::FunctionProfile run = sampled();
    run.samples = {{0, 1000, 0, 0}, {5000, 1000, 0, 0}};
    EXPECT_EQ(boxes(run, 7), (std::vector<std::string>{"main 0.0 1.0", "main 5.0 1.0"}));
}

TEST(Trace, keeps_threads_apart) {
    model::FunctionProfile run = sampled();
    run.samples = {{0, 1000, 0, 0}, {500, 1000, 1, 0}, {1000, 1000, 0, 0}};
    EXPECT_EQ(boxes(run, 7), (std::vector<std::string>{"main 0.0 2.0"}));
    EXPECT_EQ(boxes(run, 8), (std::vector<std::string>{"main 0.5 1.0"}));
}

TEST(Trace, lays_stacks_side_by_side_where_no_times_are_known) {
    EXPECT_EQ(boxes(sampled(), 1),
              (std::vector<std::string>{"=leaf 0.0 3.0", "main 0.0 5.0", "work;a 0.0 5.0", "work;a 3.0 1.0"}));
}

TEST(Folded, has_a_line_for_each_stack_with_a_cost_and_no_more_semicolons_than_callers) {
    EXPECT_EQ(folded_stacks(sampled()), "main;work:a 1000\nmain;work:a;=leaf 3000\nmain;work:a;work:a 1000\n");
}

TEST(CallgrindFile, lets_calls_of_a_function_by_itself_cost_nothing) {
    const std::string text = callgrind_file(sampled(), graph());
    EXPECT_THAT(text, HasSubstr("fn=(1) main\n0 0\ncob=/bin/p\ncfi=???\ncfn=(2) work;a\ncalls=0 0\n0 5000\n"));
    EXPECT_THAT(text, HasSubstr("fn=(2)\n0 2000\ncob=/bin/p\ncfi=???\ncfn=(2)\ncalls=0 0\n0 0\n"));
    EXPECT_THAT(text, HasSubstr("events: ns\n"));
}

TEST(Csv, of_functions_has_no_formulas) {
    EXPECT_THAT(csv_functions(sampled(), graph()), HasSubstr("\"'=leaf\",\"/bin/p\",3000,3000,3,\"\"\r\n"));
    EXPECT_THAT(csv_calls(sampled(), graph()), Not(HasSubstr("\"=leaf")));
}

TEST(Dot, leaves_out_what_costs_next_to_nothing) {
    model::CallGraph small = graph();
    EXPECT_THAT(dot_calls(sampled(), small), HasSubstr("=leaf"));
    small.functions[2].inclusive = 24;  // of 5,000
    EXPECT_THAT(dot_calls(sampled(), small), Not(HasSubstr("=leaf")));
    EXPECT_THAT(dot_calls(sampled(), small), Not(HasSubstr("-> f2")));
}

TEST(Pprof, has_the_innermost_function_first) {
    const std::string bytes = pprof_profile(sampled());
    std::vector<std::vector<uint64_t>> stacks;
    protozero::pbf_reader profile(bytes);
    while (profile.next(2)) {  // sample
        protozero::pbf_reader sample = profile.get_message();
        ASSERT_TRUE(sample.next(1));
        const auto stack = sample.get_packed_uint64();
        stacks.emplace_back(stack.begin(), stack.end());
    }
    EXPECT_EQ(stacks, (std::vector<std::vector<uint64_t>>{{2, 1}, {3, 2, 1}, {2, 2, 1}}));
}

}  // namespace
}  // namespace thalweg::report
