// measure: tests of the machine's costs, at counts too small to time anything: rows are there, are sound, and leave nothing.
#include "measure/machine.h"

#include <cstdlib>
#include <filesystem>
#include <thread>

#include <gtest/gtest.h>
#include <liburing.h>

#include "measure/machine_row.h"

namespace thalweg::measure {
namespace {

using model::Machine;

class MachineCosts : public testing::Test {
  protected:
    MachineCosts() {
        char name[] = "/tmp/thalweg-machine-test-XXXXXX";
        folder_ = mkdtemp(name);
    }
    ~MachineCosts() override { std::filesystem::remove_all(folder_); }

    Machine measured(std::vector<std::string> folders) {
        const Result<Machine> machine = measure_machine({.folders = std::move(folders), .rounds = 6, .fixed_count = 2});
        EXPECT_TRUE(machine) << machine.error().message;
        return machine ? *machine : Machine{};
    }
    std::string folder_;
};

TEST_F(MachineCosts, every_row_is_measured_or_left_out_with_a_reason) {
    const Machine machine = measured({folder_});
    EXPECT_EQ(machine.costs.size() + machine.left_out.size(), call_rows().size() + exchange_rows().size() +
                                                                  socket_rows().size() + ring_rows().size() +
                                                                  file_rows().size() + ring_file_rows().size());
    for (const model::LeftOut &row : machine.left_out)
        EXPECT_FALSE(row.reason.empty()) << row.name;
    for (const MachineRow &row : call_rows())
        EXPECT_NE(model::find_cost(machine, row.name), nullptr) << row.name;
    ASSERT_EQ(machine.file_systems.size(), 1u);
    EXPECT_NE(machine.file_systems[0].type, "");
}

TEST_F(MachineCosts, each_interval_is_above_nothing_and_holds_its_median) {
    const Machine machine = measured({folder_});
    const Status valid = model::validate(machine);
    EXPECT_TRUE(valid) << valid.error().message;
    const Result<Machine> read = model::read_machine(model::write_machine(machine));
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(*read, machine);
}

TEST_F(MachineCosts, what_does_the_same_is_compared_on_its_own_file_system) {
    const Machine machine = measured({folder_});
    const model::CrossingCost *vector = model::find_cost(machine, "writev-8", folder_);
    ASSERT_NE(vector, nullptr);
    EXPECT_EQ(vector->against, "writes-8");
    EXPECT_GT(vector->ratio.median, 0);
    const model::CrossingCost *fstat = model::find_cost(machine, "fstat", folder_);
    ASSERT_NE(fstat, nullptr);
    EXPECT_EQ(fstat->against, "");
}

TEST_F(MachineCosts, what_is_sent_by_one_call_is_compared_with_single_sends) {
    const Machine machine = measured({});
    const model::CrossingCost *vector = model::find_cost(machine, "sendmmsg-8");
    ASSERT_NE(vector, nullptr);
    EXPECT_EQ(vector->against, "send-udp");
}

TEST_F(MachineCosts, a_second_folder_on_the_same_file_system_is_not_measured_again) {
    std::filesystem::create_directory(folder_ + "/inside");
    EXPECT_EQ(measured({folder_, folder_ + "/inside"}).file_systems.size(), 1u);
}

TEST_F(MachineCosts, nothing_is_left_in_the_folder) {
    measured({folder_});
    EXPECT_TRUE(std::filesystem::is_empty(folder_));
}

TEST_F(MachineCosts, a_folder_that_is_not_there_is_an_error_that_names_it) {
    const Result<Machine> machine = measure_machine({.folders = {folder_ + "/none"}, .fixed_count = 1});
    ASSERT_FALSE(machine);
    EXPECT_NE(machine.error().message.find(folder_ + "/none"), std::string::npos) << machine.error().message;
}

TEST_F(MachineCosts, rows_of_files_are_left_out_where_none_can_be_made) {
    const Machine machine = measured({"/proc/self"});
    EXPECT_EQ(model::find_cost(machine, "write-1", "/proc/self"), nullptr);
    EXPECT_NE(model::find_cost(machine, "direct-call"), nullptr);
    EXPECT_EQ(machine.left_out.size(), file_rows().size() + ring_file_rows().size());
}

// Where the kernel or a sandbox allows no ring at all, there is nothing to ask.
bool rings_are_allowed() {
    io_uring ring{};
    const bool allowed = io_uring_queue_init(1, &ring, 0) == 0;
    if (allowed)
        io_uring_queue_exit(&ring);
    return allowed;
}

TEST(Completion, doing_nothing_completes_at_once) {
    if (!rings_are_allowed())
        GTEST_SKIP() << "io_uring is refused here";
    const Result<model::Completion> completion = completion_of(ring_rows()[0], "");
    ASSERT_TRUE(completion) << completion.error().message;
    EXPECT_EQ(*completion, model::Completion::at_once);
}

TEST(Completion, a_request_that_asks_for_a_worker_is_seen_to_get_one) {
    if (!rings_are_allowed())
        GTEST_SKIP() << "io_uring is refused here";
    const Result<model::Completion> completion = completion_of(worker_row(), "");
    ASSERT_TRUE(completion) << completion.error().message;
    EXPECT_EQ(*completion, model::Completion::worker);
}

Machine with_cost(double low, double high) {
    Machine machine{.kernel = "6.1.0", .cpu = "A processor"};
    machine.costs = {{.name = "row", .seconds = {(low + high) / 2, low, high, 0.96, 6}}};
    return machine;
}

TEST(Agreement, intervals_that_meet_agree_and_others_do_not) {
    EXPECT_EQ(agreement_of(with_cost(1, 2), with_cost(2, 3)).agreeing, 1u);
    const model::MachineAgreement apart = agreement_of(with_cost(1, 2), with_cost(2.5, 3.5));
    EXPECT_EQ(apart.agreeing, 0u);
    ASSERT_EQ(apart.rows.size(), 1u);
    EXPECT_DOUBLE_EQ(apart.rows[0].ratio, 2);
}

TEST(Agreement, medians_within_five_percent_are_near_though_the_intervals_do_not_meet) {
    const model::MachineAgreement agreement = agreement_of(with_cost(1, 1.01), with_cost(1.03, 1.04));
    EXPECT_EQ(agreement.agreeing, 0u);
    EXPECT_EQ(agreement.near, 1u);
    EXPECT_EQ(agreement_of(with_cost(1, 1.01), with_cost(1.2, 1.21)).near, 0u);
    EXPECT_EQ(agreement_of(with_cost(1.2, 1.21), with_cost(1, 1.01)).near, 0u);
}

TEST(Agreement, a_row_without_a_partner_and_another_machine_are_said) {
    Machine other = with_cost(1, 2);
    other.costs[0].group = 4;
    other.kernel = "6.2.0";
    const model::MachineAgreement agreement = agreement_of(with_cost(1, 2), other);
    EXPECT_TRUE(agreement.rows.empty());
    EXPECT_EQ(agreement.only_in_one, 2u);
    EXPECT_FALSE(agreement.same_machine);
}

}  // namespace
}  // namespace thalweg::measure
