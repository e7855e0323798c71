// measure: tests of reading what callgrind writes, in callgrind's own lines.
#include "measure/callgrind_file.h"

#include <gtest/gtest.h>

#include "measure/call_tree.h"

namespace thalweg::measure {
namespace {

using model::FunctionProfile;
using model::none;

// Of callgrind 3.19 with --separate-callers, shortened: main calls leaf, and rec, which calls itself once and each time leaf.
constexpr const char *program = R"(# callgrind format
version: 1
creator: callgrind-3.19.0
cmd:  ./v
positions: line
events: Ir

ob=(1) /tmp/v
fl=(1) /tmp/v.c
fn=(1) main'(below main)
5 10
cfn=(2) leaf'main'(below main)
calls=2 -1 
* 40
+1 3
cfn=(3) rec'main'(below main)
calls=1 4
* 70

fn=(2)
2 40

fn=(3)
4 6
cfn=(4) rec'2'main'(below main)
calls=1 *
* 50

fn=(4)
4 50

ob=(2) /lib/libc.so.6
fn=(5) (below main)
0 11
cob=(1)
cfn=(1)
calls=1 5
0 113
totals: 120
)";

FunctionProfile read(std::string_view text) {
    FunctionProfile profile;
    const Status status = read_callgrind(text, profile);
    EXPECT_TRUE(status) << status.error().message;
    return profile;
}

std::string problem(std::string_view text) {
    FunctionProfile profile;
    const Status status = read_callgrind(text, profile);
    return status ? "none" : status.error().message;
}

// "(below main) main leaf", self cost, calls
std::string lines(const FunctionProfile &profile) {
    std::string text;
    for (const model::CallNode &node : profile.nodes) {
        std::string names = profile.functions[node.function].name;
        for (uint32_t at = node.parent; at != none; at = profile.nodes[at].parent)
            names = profile.functions[profile.nodes[at].function].name + " " + names;
        text += fmt::format("{}: {} {}\n", names, node.self, node.count);
    }
    return text;
}

TEST(Callgrind, gives_each_chain_of_callers_its_cost_and_its_calls) {
    const FunctionProfile profile = read(program);
    EXPECT_EQ(lines(profile), "(below main): 11 0\n"
                              "(below main) main: 13 1\n"
                              "(below main) main leaf: 40 2\n"
                              "(below main) main rec: 6 1\n"
                              "(below main) main rec rec: 50 1\n");
    EXPECT_EQ(profile.unit, model::CostUnit::instructions);
    EXPECT_TRUE(profile.problems.empty());
}

TEST(Callgrind, knows_the_objects_of_callers_too) {
    const FunctionProfile profile = read(program);
    for (const model::CodeFunction &function : profile.functions)
        EXPECT_EQ(function.object, function.name == "(below main)" ? "/lib/libc.so.6" : "/tmp/v") << function.name;
}

TEST(Callgrind, adds_the_files_of_one_run) {
    FunctionProfile profile = read(program);
    ASSERT_TRUE(read_callgrind(program, profile));
    EXPECT_EQ(profile.nodes.size(), 5u);
    EXPECT_EQ(profile.nodes[2].self, 80u);
}

TEST(Callgrind, takes_code_without_a_name_as_unknown) {
    const FunctionProfile profile = read("ob=(1) o\nfn=(1) 0x0000000000001080'main\n0 5\n");
    EXPECT_EQ(lines(profile), "main: 0 0\nmain [unknown]: 5 0\n");
}

TEST(Callgrind, says_when_there_are_more_callers_than_it_was_told) {
    std::string chain = "f0";
    for (uint32_t i = 1; i < callers_kept; ++i)
        chain += fmt::format("'f{}", i);
    const FunctionProfile profile = read("ob=o\nfn=main\n0 30\nfn=" + chain + "\n0 10\n");
    ASSERT_EQ(profile.problems.size(), 1u);
    EXPECT_TRUE(profile.problems[0].starts_with("25.0 % of the instructions had 24 callers or more"))
        << profile.problems[0];
}

TEST(Callgrind, refuses_what_it_did_not_write_with_the_line) {
    EXPECT_EQ(problem("nonsense"),
              "line 1 is not as callgrind writes it: it is neither a name, nor a cost, nor a header");
    EXPECT_EQ(problem("fn=(1)"), "line 1 is not as callgrind writes it: its (1) stands for no name");
    EXPECT_EQ(problem("version: 1\n5 10"), "line 2 is not as callgrind writes it: its function is not told");
    EXPECT_EQ(problem("fn=main\ncalls=1 2"),
              "line 2 is not as callgrind writes it: its number of calls, or whom it calls, is not told");
    EXPECT_EQ(problem("fn=main\n5 x"), "line 2 is not as callgrind writes it: its cost is no number");
}

}  // namespace
}  // namespace thalweg::measure
