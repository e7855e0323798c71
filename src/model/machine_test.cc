// model: tests of a machine's costs: what is written is read again, what is damaged is refused in words.
#include "model/machine.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "model/arbitrary_test.h"

namespace thalweg::model {
namespace {

Machine example() {
    Machine machine{.date = "2026-01-31T12:00:00Z", .kernel = "6.1.0", .cpu = "A processor", .cpus = 2};
    machine.file_systems = {{"/tmp", "tmpfs"}};
    machine.costs = {
        {.name = "write-4096", .what = "a write", .folder = "/tmp", .seconds = {2e-6, 1e-6, 3e-6, 0.96, 6}},
        {.name = "ring-write",
         .what = "the same",
         .folder = "/tmp",
         .group = 8,
         .time = TimeKind::wall,
         .completion = Completion::worker,
         .seconds = {4e-6, 4e-6, 5e-6, 0.96, 6},
         .against = "write-4096",
         .ratio = {2, 1.5, 2.5, 0.96, 6}}};
    machine.left_out = {{"disk-read", "/tmp", "Invalid argument"}};
    return machine;
}

std::string replaced(const std::string &from, const std::string &to) {
    std::string text = write_machine(example());
    const size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
}

std::string refusal(const std::string &text) {
    const Result<Machine> read = read_machine(text);
    return read ? "none" : read.error().message;
}

TEST(Machine, costs_that_are_written_are_read_again) {
    const Result<Machine> read = read_machine(write_machine(example()));
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(*read, example());
}

RC_GTEST_PROP(Machine, any_valid_costs_are_read_again, ()) {
    Machine machine = example();
    machine.cpu = arbitrary::name();
    machine.costs.clear();
    for (uint32_t i = 0, last = arbitrary::below(5); i < last; ++i) {
        CrossingCost cost{.name = "row", .what = arbitrary::name(), .group = i};
        cost.seconds = {1.0 / (1 + arbitrary::below(1000)), 1e-9, 1, 0.5, 1 + arbitrary::below(9)};
        cost.completion = *rc::gen::element(Completion::none, Completion::at_once, Completion::worker);
        machine.costs.push_back(cost);
    }
    const Result<Machine> read = read_machine(write_machine(machine));
    RC_ASSERT(bool(read));
    RC_ASSERT(*read == machine);
}

TEST(Machine, a_row_is_found_by_name_folder_and_group_and_no_other_is) {
    const Machine machine = example();
    EXPECT_EQ(find_cost(machine, "ring-write", "/tmp", 8), &machine.costs[1]);
    EXPECT_EQ(find_cost(machine, "ring-write", "/tmp", 4), nullptr);
    EXPECT_EQ(find_cost(machine, "write-4096"), nullptr);
}

TEST(Machine, every_truncation_is_refused_in_words) {
    const std::string text = write_machine(example());
    for (size_t length = 0; length + 2 < text.size(); ++length)
        ASSERT_NE(refusal(text.substr(0, length)), "none") << length;
    EXPECT_EQ(refusal(text), "none");
}

TEST(Machine, what_does_not_fit_is_named_with_its_place) {
    EXPECT_NE(refusal(replaced("\"version\": 1", "\"version\": 7")).find("version 7"), std::string::npos);
    EXPECT_NE(refusal(replaced("\"cpus\": 2", "\"cpus\": -2")).find("cpus is not a whole number"), std::string::npos);
    EXPECT_NE(refusal(replaced("\"wall\"", "\"moon\"")).find("\"moon\""), std::string::npos);
    EXPECT_NE(refusal(replaced("\"folder\"", "\"falter\"")).find("file_systems[0].folder is missing"),
              std::string::npos);
    EXPECT_NE(refusal(replaced("\"median\": 2e-06", "\"median\": \"x\"")).find("costs[0].seconds.median"),
              std::string::npos);
    EXPECT_NE(refusal("[]").find("not"), std::string::npos);
}

TEST(Machine, an_interval_without_its_median_or_below_zero_is_no_measurement) {
    EXPECT_NE(refusal(replaced("\"median\": 2e-06", "\"median\": 9.0")).find("no measurement"), std::string::npos);
    EXPECT_NE(refusal(replaced("\"low\": 1e-06", "\"low\": -1.0")).find("no measurement"), std::string::npos);
    EXPECT_NE(refusal(replaced("\"low\": 1e-06", "\"low\": 0")).find("no measurement"), std::string::npos);
    EXPECT_NE(refusal(replaced("\"high\": 3e-06", "\"high\": 1e999")), "none");
    EXPECT_NE(refusal(replaced("\"n\": 6", "\"n\": 0")).find("no measurement"), std::string::npos);
}

TEST(Machine, a_row_that_is_there_twice_is_refused) {
    Machine machine = example();
    machine.costs.push_back(machine.costs[0]);
    EXPECT_NE(refusal(write_machine(machine)).find("write-4096 is there twice"), std::string::npos);
    machine.costs.back().folder = "/elsewhere";
    EXPECT_EQ(refusal(write_machine(machine)), "none");
}

}  // namespace
}  // namespace thalweg::model
