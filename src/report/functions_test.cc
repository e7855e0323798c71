// report: what is said of a run's functions.
#include "report/functions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace thalweg::report {
namespace {

using model::FunctionRole;
using model::none;
using testing::HasSubstr;
using testing::Not;

struct Example {
    Example() {
        run.command = {"./server", "\033[31m"};
        run.tool = "perf";
        run.functions = {{"main", "/bin/server", {}},
                         {"_ZN3Net4sendEv", "/bin/server", {{FunctionRole::handler, "Send", 1234}}},
                         {"vfs_write", "[kernel.kallsyms]", {}},
                         {"[unknown]", "/lib/libx.so", {}},
                         {"seldom", "/bin/server", {}}};
        run.nodes = {
            {none, 0, 0, 0}, {0, 1, 600000000, 600}, {1, 2, 300000000, 300}, {0, 3, 99800000, 99}, {0, 4, 200000, 1}};
        run.threads = {{1, 1, "server"}};
        run.samples.resize(1000);
        graph.total = 1000000000;
        graph.functions = {{0, 1000000000, 0},
                           {600000000, 900000000, 600},
                           {300000000, 300000000, 300},
                           {99800000, 99800000, 99},
                           {200000, 200000, 1}};
        graph.edges = {{0, 1, 900000000, 600}, {0, 3, 99800000, 99}, {0, 4, 200000, 1}, {1, 2, 300000000, 300}};
    }
    std::string text() const { return text_functions(run, graph, {}); }

    model::FunctionProfile run;
    model::CallGraph graph;
};

TEST(FunctionsText, tells_self_and_inclusive_and_what_is_the_kernels) {
    const std::string text = Example().text();
    EXPECT_THAT(text, HasSubstr("1.000 s of processor time, 1,000 samples by perf; 30.0 % of it in the kernel"));
    EXPECT_THAT(text, HasSubstr("60.0 %     90.0 %  0.600 s      600  Net::send           server"));
    EXPECT_THAT(text, HasSubstr("[unknown, libx.so]"));
    EXPECT_THAT(text, Not(HasSubstr("\033")));
}

TEST(FunctionsText, sets_each_function_between_its_callers_and_callees) {
    EXPECT_THAT(Example().text(), HasSubstr("     90.0 %             < main\n"
                                            "     90.0 %    60.0 %  Net::send\n"
                                            "     30.0 %             > vfs_write\n"));
}

TEST(FunctionsText, leaves_out_callees_that_cost_nothing_and_says_so) {
    EXPECT_THAT(Example().text(), HasSubstr("     10.0 %             > [unknown, libx.so]\n"
                                            "                        > and 1 more\n"));
}

TEST(FunctionsText, tells_handlers_and_has_no_such_table_without_them) {
    Example run;
    EXPECT_THAT(run.text(), HasSubstr("Events and crossings"));
    EXPECT_THAT(run.text(), HasSubstr("handler of Send, 1,234 times"));
    run.run.functions[1].roles.clear();
    EXPECT_THAT(run.text(), Not(HasSubstr("Events and crossings")));
}

TEST(FunctionsText, of_callgrind_tells_instructions_and_calls) {
    Example run;
    run.run.tool = "callgrind";
    run.run.unit = model::CostUnit::instructions;
    EXPECT_THAT(run.text(), HasSubstr("1,000,000,000 instructions outside of the kernel, counted by callgrind"));
    EXPECT_THAT(run.text(), HasSubstr("calls"));
    EXPECT_THAT(run.text(), Not(HasSubstr("samples")));
}

}  // namespace
}  // namespace thalweg::report
