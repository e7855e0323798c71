// model: tests of a run's functions: what is written is read again, what is damaged is refused in words.
#include "model/functions.h"

#include <gtest/gtest.h>

namespace thalweg::model {
namespace {

FunctionProfile example() {
    FunctionProfile profile{.command = {"./server", "--fast"}, .exit_code = 3, .tool = "perf"};
    profile.functions = {{"main", "./server", {}},
                         {"on_read", "./server", {{FunctionRole::handler, "Readable", 7}}},
                         {"read", "libc.so.6", {{FunctionRole::system_call, "read", 0}}}};
    profile.nodes = {{none, 0, 5, 1}, {0, 1, 2, 1}, {1, 2, 30, 3}};
    profile.threads = {{10, 11, "server"}};
    profile.samples = {{0, 5, 0, 0}, {10, 2, 0, 1}, {20, 30, 0, 2}};
    profile.problems = {"two samples were lost"};
    return profile;
}

std::string refusal(const FunctionProfile &profile) {
    const Status status = validate(profile);
    return status ? "none" : status.error().message;
}

TEST(Functions, that_are_written_are_read_again) {
    const Result<FunctionProfile> read = read_functions(write_functions(example()));
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(*read, example());
    FunctionProfile counted = example();
    counted.unit = CostUnit::instructions;
    counted.samples.clear();
    EXPECT_EQ(*read_functions(write_functions(counted)), counted);
}

TEST(Functions, refuse_callers_that_are_not_there_or_come_later) {
    EXPECT_EQ(refusal(example()), "none");
    FunctionProfile profile = example();
    profile.nodes[1].parent = 1;
    EXPECT_EQ(refusal(profile), "functions: node 1 is called by node 1, which is not before it");
    profile = example();
    profile.nodes[2].function = 3;
    EXPECT_EQ(refusal(profile), "functions: node 2 is of function 3 of 3");
}

TEST(Functions, refuse_samples_of_nothing_and_out_of_order) {
    FunctionProfile profile = example();
    profile.samples[2].node = 3;
    EXPECT_EQ(refusal(profile), "functions: a sample is of node 3 and thread 0; there are 3 and 1");
    profile = example();
    profile.samples[2].time_ns = 9;
    EXPECT_EQ(refusal(profile), "functions: a sample at 9 ns stands behind one at 10 ns");
}

TEST(Functions, refuse_costs_that_do_not_add_up) {
    FunctionProfile profile = example();
    profile.nodes[0].self = UINT64_MAX - 10;
    EXPECT_EQ(refusal(profile), "functions: all costs together are more than 9223372036854775807");
}

TEST(Functions, refuse_columns_of_different_length) {
    std::string text = write_functions(example());
    const std::string column = "\"self\": [\n   5,";
    ASSERT_NE(text.find(column), std::string::npos);
    text.replace(text.find(column), column.size(), "\"self\": [");
    const auto read = read_functions(text);
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().message,
              "not a usable thalweg-functions: nodes.self has 2 entries, and not 3 as the others");
}

}  // namespace
}  // namespace thalweg::model
