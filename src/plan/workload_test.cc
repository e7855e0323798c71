// plan: tests of the class of a run's work, and of the advice: each claim with the neighbour to which it does not apply.
#include "plan/workload.h"

#include <gtest/gtest.h>

namespace thalweg::plan {
namespace {

using model::AdviceKind;
using model::WorkClass;
using model::Workload;

constexpr uint64_t second = 1000000;

Workload run(double real_s, double user_s, double system_s) {
    Workload workload;
    workload.command = {"program"};
    workload.real_us = static_cast<uint64_t>(real_s * second);
    workload.usage.user_us = static_cast<uint64_t>(user_s * second);
    workload.usage.system_us = static_cast<uint64_t>(system_s * second);
    workload.usage.max_rss_kib = 4096;
    return workload;
}

WorkClass class_of(Workload workload) {
    judge(workload);
    return workload.kind;
}

bool says(Workload workload, AdviceKind kind, const std::string &word) {
    judge(workload);
    for (const model::Advice &advice : workload.advice)
        if (advice.kind == kind && advice.text.find(word) != std::string::npos)
            return true;
    return false;
}

// Sections 4.1.2 to 4.1.4: cp and logresolve, ls -lR and ls -R, sed.
TEST(Class, of_the_books_own_examples_is_the_books) {
    EXPECT_EQ(class_of(run(5.68, 0, 0.32)), WorkClass::io_bound);
    EXPECT_EQ(class_of(run(1230.55, 0.04, 0.03)), WorkClass::io_bound);
    EXPECT_EQ(class_of(run(4.59, 1.28, 2.73)), WorkClass::kernel_bound);
    EXPECT_EQ(class_of(run(1.08, 0.28, 0.77)), WorkClass::kernel_bound);
    EXPECT_EQ(class_of(run(203.59, 194.27, 1.63)), WorkClass::cpu_bound);
}

TEST(Class, is_io_bound_from_more_than_half_idle) {
    EXPECT_EQ(class_of(run(1, 0.45, 0.04)), WorkClass::io_bound);
    EXPECT_EQ(class_of(run(1, 0.46, 0.05)), WorkClass::mixed);
}

TEST(Class, is_told_of_a_runs_times_alone) {
    EXPECT_TRUE(waits(1e6, 0.4e6));
    EXPECT_FALSE(waits(1e6, 0.6e6));
    // A start's waiting is no workload's.
    EXPECT_FALSE(waits(40e3, 1e3));
    // Several processors at once.
    EXPECT_FALSE(waits(1e6, 2e6));
}

TEST(Class, is_mixed_where_user_time_is_larger_and_far_from_real_time) {
    EXPECT_EQ(class_of(run(1, 0.50, 0.45)), WorkClass::mixed);
    EXPECT_EQ(class_of(run(1, 0.45, 0.50)), WorkClass::kernel_bound);
    EXPECT_EQ(class_of(run(1, 0.70, 0.25)), WorkClass::cpu_bound);
}

TEST(Class, of_several_threads_counts_them_all) {
    EXPECT_EQ(class_of(run(1, 3.5, 0.2)), WorkClass::cpu_bound);
    EXPECT_EQ(class_of(run(1, 0.9, 3)), WorkClass::kernel_bound);
    EXPECT_TRUE(says(run(1, 3.5, 0.2), AdviceKind::seen, "3.7 processors"));
    EXPECT_FALSE(says(run(1, 0.9, 0.1), AdviceKind::seen, "processors at work"));
}

TEST(Class, does_not_take_waiting_for_a_processor_for_idleness) {
    Workload crowded = run(4, 1, 0.1);
    EXPECT_EQ(class_of(crowded), WorkClass::io_bound);
    crowded.ready_us = 2800000;
    EXPECT_EQ(class_of(crowded), WorkClass::cpu_bound);
    EXPECT_TRUE(says(crowded, AdviceKind::seen, "no processor was free"));
    Workload waits = run(4, 0.1, 0.2);
    waits.ready_us = 3000000;
    EXPECT_EQ(class_of(waits), WorkClass::io_bound);
    waits.ready_us = 3600000;
    EXPECT_EQ(class_of(waits), WorkClass::kernel_bound);
    crowded.ready_us = 100;
    EXPECT_FALSE(says(crowded, AdviceKind::seen, "no processor was free"));
}

TEST(Class, is_not_told_from_too_few_ticks_but_idleness_is) {
    EXPECT_EQ(class_of(run(0.04, 0.03, 0.009)), WorkClass::not_judged);
    EXPECT_EQ(class_of(run(0.06, 0.05, 0.009)), WorkClass::cpu_bound);
    EXPECT_EQ(class_of(run(1, 0.001, 0.001)), WorkClass::io_bound);
}

TEST(Class, is_not_told_of_a_start) {
    EXPECT_EQ(class_of(run(0.05, 0.001, 0.001)), WorkClass::not_judged);
    EXPECT_EQ(class_of(run(0.06, 0.001, 0.001)), WorkClass::io_bound);
    Workload crowded = run(0.5, 0.001, 0.001);
    crowded.ready_us = 480000;
    EXPECT_EQ(class_of(crowded), WorkClass::not_judged);
}

TEST(Advice, tells_how_a_run_ended_that_did_not_end_well) {
    Workload failed = run(1, 0.9, 0.05);
    EXPECT_FALSE(says(failed, AdviceKind::seen, "ended"));
    failed.exit_code = 2;
    EXPECT_TRUE(says(failed, AdviceKind::seen, "it ended with code 2"));
    failed.exit_code = 137;
    failed.signal = 9;
    EXPECT_TRUE(says(failed, AdviceKind::seen, "signal 9 ended it (Killed)"));
}

TEST(Class, of_a_traced_run_is_told_only_where_tracing_took_little) {
    Workload traced = run(1, 0.9, 0.05);
    traced.traced = true;
    traced.calls = {{"read", 100, 1000, 0, {}}};
    EXPECT_EQ(class_of(traced), WorkClass::cpu_bound);
    traced.calls[0].count = 10000;
    EXPECT_EQ(class_of(traced), WorkClass::not_judged);
    traced.ready_us = 500000;
    EXPECT_FALSE(says(traced, AdviceKind::seen, "no processor was free"));
    traced.traced = false;
    EXPECT_TRUE(says(traced, AdviceKind::seen, "no processor was free"));
    EXPECT_EQ(class_of(traced), WorkClass::cpu_bound);
}

TEST(Advice, names_the_longest_call_where_it_took_long) {
    Workload waits = run(2, 0.01, 0.01);
    waits.traced = true;
    waits.calls = {{"read", 10, 1500000000, 0, {}}, {"write", 10, 1000, 0, {}}};
    EXPECT_TRUE(says(waits, AdviceKind::diagnose, "most time went into read, 10 times, 1.50 s"));
    EXPECT_FALSE(says(waits, AdviceKind::diagnose, "--calls"));
    waits.calls[0].time_ns = 1000000;
    EXPECT_FALSE(says(waits, AdviceKind::diagnose, "most time"));
}

TEST(Advice, names_the_disk_only_where_one_was_used) {
    Workload waits = run(1, 0, 0.1);
    EXPECT_TRUE(says(waits, AdviceKind::diagnose, "hardly any disk"));
    EXPECT_FALSE(says(waits, AdviceKind::diagnose, "iostat"));
    waits.usage.blocks_in = 408;
    EXPECT_FALSE(says(waits, AdviceKind::diagnose, "iostat"));
    waits.usage.blocks_out = 2048;
    EXPECT_TRUE(says(waits, AdviceKind::diagnose, "wrote 1024 KiB"));
    EXPECT_FALSE(says(waits, AdviceKind::diagnose, "hardly any disk"));
}

TEST(Advice, of_each_class_is_the_tables) {
    EXPECT_TRUE(says(run(1, 0, 0), AdviceKind::resolve, "peripherals"));
    EXPECT_FALSE(says(run(1, 0, 0), AdviceKind::resolve, "algorithms"));
    EXPECT_TRUE(says(run(1, 0.1, 0.9), AdviceKind::diagnose, "--calls"));
    EXPECT_FALSE(says(run(1, 0.1, 0.9), AdviceKind::diagnose, "thalweg functions"));
    EXPECT_TRUE(says(run(1, 1, 0), AdviceKind::diagnose, "thalweg functions"));
    EXPECT_TRUE(says(run(1, 1, 0), AdviceKind::resolve, "algorithms"));
    EXPECT_FALSE(says(run(1, 1, 0), AdviceKind::diagnose, "--calls"));
}

TEST(Advice, calls_it_thrashing_where_pages_came_again) {
    Workload faults = run(10, 0.1, 0.4);
    faults.usage.major_faults = 2000;
    EXPECT_TRUE(says(faults, AdviceKind::seen, "thrashing"));
    faults.usage.max_rss_kib = 80000;
    EXPECT_FALSE(says(faults, AdviceKind::seen, "thrashing"));
    EXPECT_TRUE(says(faults, AdviceKind::seen, "a second run"));
    faults.usage.major_faults = 50;
    EXPECT_FALSE(says(faults, AdviceKind::seen, "a second run"));
}

TEST(Advice, finds_a_busy_wait_among_the_calls) {
    Workload spins = run(1, 0.5, 0.5);
    spins.traced = true;
    spins.calls = {{"sched_yield", 5000, 0, 5000, {}}, {"read", 100, 0, 0, {}}};
    EXPECT_TRUE(
        says(spins, AdviceKind::seen, "busy-wait: of 5100 calls 5000 asked without waiting, most of them sched_yield"));
    spins.calls[0].without_waiting = 900;
    EXPECT_FALSE(says(spins, AdviceKind::seen, "busy-wait"));
    spins.calls[0].without_waiting = 5000;
    spins.calls[1].count = 6000;
    EXPECT_FALSE(says(spins, AdviceKind::seen, "busy-wait"));
}

TEST(Advice, names_a_call_that_mostly_fails) {
    Workload searches = run(1, 0.4, 0.5);
    searches.calls = {{"openat", 300, 0, 0, {{"ENOENT", 200}}}};
    EXPECT_TRUE(says(searches, AdviceKind::seen, "openat fails 200 of 300"));
    searches.calls[0].errors[0].count = 99;
    EXPECT_FALSE(says(searches, AdviceKind::seen, "fails"));
}

TEST(Advice, points_at_children_that_do_the_work) {
    Workload shell = run(1, 0.8, 0.1);
    shell.children.user_us = 700000;
    EXPECT_TRUE(says(shell, AdviceKind::seen, "its children used 0.70 s"));
    shell.children.user_us = 100000;
    EXPECT_FALSE(says(shell, AdviceKind::seen, "its children"));
}

}  // namespace
}  // namespace thalweg::plan
