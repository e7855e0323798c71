// measure: tests of running a program for its workload, with real programs.
#include "measure/workload.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include <gtest/gtest.h>
#include <unistd.h>

#include "measure/process_stat.h"
#include "measure/process_tree.h"

namespace thalweg::measure {
namespace {

constexpr uint64_t ms = 1000;

model::Workload run(std::vector<std::string> command) {
    const auto workload = run_workload({std::move(command)});
    EXPECT_TRUE(workload) << workload.error().message;
    return workload ? *workload : model::Workload{};
}

model::Workload shell(const std::string &script) { return run({"/bin/sh", "-c", script}); }

TEST(Workload, of_one_that_sleeps_is_real_time_alone) {
    const model::Workload workload = run({"sleep", "0.3"});
    EXPECT_GE(workload.real_us, 300 * ms);
    EXPECT_LT(workload.usage.user_us + workload.usage.system_us, 100 * ms);
    EXPECT_GE(workload.usage.voluntary_switches, 1u);
    EXPECT_FALSE(workload.samples.empty());
    EXPECT_EQ(workload.children, model::Usage{});
    EXPECT_EQ(workload.exit_code, 0u);
    EXPECT_EQ(workload.command, (std::vector<std::string>{"sleep", "0.3"}));
}

// The kernel counts in clock ticks of 4 ms at most times: long enough for some hundred. Of calls for single bytes half is the program's own time.
TEST(Workload, of_one_that_reads_large_blocks_is_mostly_system_time) {
    const model::Workload workload =
        run({"dd", "if=/dev/zero", "of=/dev/null", "bs=64k", "count=200000", "status=none"});
    EXPECT_GT(workload.usage.system_us, workload.usage.user_us);
}

TEST(Workload, of_one_that_computes_is_mostly_user_time_and_is_seen_over_time) {
    const model::Workload workload = shell("i=0; while [ $i -lt 700000 ]; do i=$((i+1)); done");
    EXPECT_GT(workload.usage.user_us, workload.usage.system_us);
    uint64_t sampled_us = 0;
    for (const model::WorkSample &sample : workload.samples)
        sampled_us += sample.user_us + sample.system_us;
    const uint64_t used_us = workload.usage.user_us + workload.usage.system_us;
    EXPECT_NEAR(static_cast<double>(sampled_us), static_cast<double>(used_us), 30.0 * ms);
}

TEST(Workload, tells_threads_apart_and_counts_them) {
    const model::Workload workload = run({"python3", "-c",
                                          "import threading, time\n"
                                          "ts = [threading.Thread(target=time.sleep, args=(0.5,)) for _ in range(3)]\n"
                                          "[t.start() for t in ts]; [t.join() for t in ts]"});
    uint64_t most = 0;
    for (const model::WorkSample &sample : workload.samples)
        most = std::max(most, sample.threads);
    EXPECT_GE(most, 4u);
    EXPECT_GE(workload.threads.size(), 4u);
}

TEST(Workload, tells_what_the_children_used) {
    const model::Workload workload = shell("sh -c 'i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done'; exit 3");
    EXPECT_GE(workload.children.user_us, 20 * ms);
    EXPECT_GE(workload.usage.user_us + 20 * ms, workload.children.user_us);
    EXPECT_GT(workload.children.minor_faults, 0u);
    EXPECT_EQ(workload.exit_code, 3u);
    EXPECT_EQ(shell("i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done").children.user_us, 0u);
}

TEST(Workload, of_one_that_a_signal_ends_says_so) {
    const model::Workload workload = shell("kill -TERM $$");
    EXPECT_EQ(workload.signal, static_cast<uint32_t>(SIGTERM));
    EXPECT_EQ(workload.exit_code, 128u + SIGTERM);
}

TEST(Workload, of_one_that_is_not_there_is_an_error_in_words) {
    const auto nothing = run_workload({{"/nowhere/nothing"}});
    ASSERT_FALSE(nothing);
    EXPECT_EQ(nothing.error().message, "cannot start /nowhere/nothing: No such file or directory");
    EXPECT_FALSE(run_workload({}));
}

TEST(Workload, hands_signals_on_to_the_program) {
    char name[] = "/tmp/thalweg-workload-XXXXXX";
    const std::string folder = mkdtemp(name), listens = folder + "/listens";
    // The one that sends has the signals blocked from its start, as the one that waits has.
    const pthread_t runner = ::pthread_self();
    std::thread sender([&] {
        sigset_t all;
        sigfillset(&all);
        ::pthread_sigmask(SIG_BLOCK, &all, nullptr);
        for (int i = 0; i < 200 && !std::filesystem::exists(listens); ++i)
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
        ::pthread_kill(runner, SIGUSR1);
    });
    const model::Workload workload =
        shell("trap 'exit 9' USR1; : >" + listens + "; i=0; while [ $i -lt 100 ]; do sleep 0.1; i=$((i+1)); done");
    sender.join();
    EXPECT_EQ(workload.exit_code, 9u);
    std::filesystem::remove_all(folder);
}

TEST(ProcessTree, of_a_long_run_keeps_a_bounded_number_of_samples_that_add_up) {
    ProcessTree tree(::getpid());
    for (uint64_t i = 1; i <= 5 * model::max_samples; ++i)
        tree.look(i);
    tree.last_look(5 * model::max_samples + 1);
    EXPECT_LE(tree.samples().size(), model::max_samples);
    EXPECT_GE(tree.samples().size(), model::max_samples / 2);
    EXPECT_EQ(tree.samples().back().end_us, 5 * model::max_samples + 1);
    EXPECT_TRUE(std::ranges::is_sorted(tree.samples(), {}, &model::WorkSample::end_us));
}

TEST(ProcessStat, takes_any_name) {
    const std::string fields = " S 1 1 1 0 -1 4194560 5 6 7 8 9 10 11 12 20 0 3 0 99";
    const auto stat = parse_stat("17 (a) R (b) 4)" + fields, 100);
    ASSERT_TRUE(stat);
    EXPECT_EQ(stat->name, "a) R (b) 4");
    EXPECT_EQ(stat->minor_faults, 5u);
    EXPECT_EQ(stat->children_major_faults, 8u);
    EXPECT_EQ(stat->user_us, 90 * ms);
    EXPECT_EQ(stat->children_system_us, 120 * ms);
    EXPECT_EQ(stat->threads, 3u);
}

TEST(ProcessStat, that_is_cut_short_or_no_such_line_is_none) {
    const std::string line = "17 (sh) S 1 1 1 0 -1 4194560 5 6 7 8 9 10 11 12 20 0 3";
    EXPECT_TRUE(parse_stat(line, 100));
    EXPECT_FALSE(parse_stat(line.substr(0, line.size() - 2), 100));
    EXPECT_FALSE(parse_stat("", 100));
    EXPECT_FALSE(parse_stat(") (", 100));
    EXPECT_FALSE(parse_stat("17 (sh) S x", 100));
}

}  // namespace
}  // namespace thalweg::measure
