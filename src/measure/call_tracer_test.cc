// measure: tests of counting system calls, with real programs.
#include "measure/call_tracer.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include <gtest/gtest.h>
#include <linux/audit.h>
#include <sys/syscall.h>

#include "measure/workload.h"

namespace thalweg::measure {
namespace {

using model::CallCount;

model::Workload traced(std::vector<std::string> command) {
    const auto workload = run_workload({std::move(command), true});
    EXPECT_TRUE(workload) << workload.error().message;
    return workload ? *workload : model::Workload{};
}

model::Workload shell(const std::string &script) { return traced({"/bin/sh", "-c", script}); }
model::Workload python(const std::string &script) { return traced({"/usr/bin/python3", "-c", script}); }

CallCount call(const std::vector<CallCount> &calls, const std::string &name) {
    const auto found = std::ranges::find(calls, name, &CallCount::name);
    return found == calls.end() ? CallCount{} : *found;
}

TEST(Calls, are_counted_and_timed) {
    const model::Workload workload =
        traced({"dd", "if=/dev/zero", "of=/dev/null", "bs=1", "count=1000", "status=none"});
    EXPECT_TRUE(workload.traced);
    const CallCount write = call(workload.calls, "write");
    EXPECT_EQ(write.count, 1000u);
    EXPECT_GT(write.time_ns, 1000u * 50);
    EXPECT_GE(call(workload.calls, "read").count, 1000u);
    EXPECT_EQ(call(workload.calls, "fork").count, 0u);
    EXPECT_TRUE(std::ranges::is_sorted(workload.calls, std::greater(), &CallCount::time_ns));
}

TEST(Calls, are_timed_with_the_wait_in_them) {
    const model::Workload workload = traced({"sleep", "0.2"});
    EXPECT_GE(call(workload.calls, "clock_nanosleep").time_ns, 200000000u);
    EXPECT_EQ(workload.exit_code, 0u);
}

TEST(Calls, that_fail_are_told_by_error) {
    const model::Workload workload = shell("cat /nowhere/1 /nowhere/2 /nowhere/3 2>/dev/null; exit 5");
    EXPECT_EQ(workload.exit_code, 5u);
    const auto errors = call(workload.calls, "openat").errors;
    const auto found = std::ranges::find(errors, "ENOENT", &model::ErrorCount::error);
    ASSERT_NE(found, errors.end());
    EXPECT_GE(found->count, 3u);
    EXPECT_TRUE(call(workload.calls, "write").errors.empty());
}

TEST(Calls, of_children_and_of_threads_are_told_apart) {
    const model::Workload forks = shell("for i in 1 2 3; do /bin/true; done; exit 0");
    EXPECT_EQ(std::ranges::count_if(forks.threads, [](const auto &t) { return t.name == "true" && !t.calls.empty(); }),
              3);
    const model::Workload threads = python("import threading, os\n"
                                           "ts = [threading.Thread(target=os.getppid) for _ in range(4)]\n"
                                           "[t.start() for t in ts]; [t.join() for t in ts]");
    EXPECT_EQ(call(threads.calls, "getppid").count, 4u);
    EXPECT_EQ(std::ranges::count_if(threads.threads, [](const auto &t) { return call(t.calls, "getppid").count == 1; }),
              4);
}

TEST(Calls, end_with_the_signal_that_ends_the_program) {
    const model::Workload workload = shell("kill -TERM $$");
    EXPECT_EQ(workload.signal, static_cast<uint32_t>(SIGTERM));
    EXPECT_EQ(call(workload.calls, "kill").count, 1u);
    EXPECT_EQ(shell("kill -KILL $$").signal, static_cast<uint32_t>(SIGKILL));
}

TEST(Calls, leave_signals_to_the_program) {
    EXPECT_EQ(shell("trap 'exit 9' USR1; kill -USR1 $$; sleep 5").exit_code, 9u);
}

TEST(Calls, leave_a_stopped_program_stopped_until_it_is_to_go_on) {
    char name[] = "/tmp/thalweg-calls-XXXXXX";
    const std::string folder = mkdtemp(name);
    const std::string mark = folder + "/going_on";
    const model::Workload workload =
        shell("(sleep 0.3; : >" + mark +
              "; while kill -CONT $$; do sleep 0.1; done) >/dev/null 2>&1 & kill -STOP $$; "
              "test -e " +
              mark + " && exit 4; exit 5");
    EXPECT_EQ(workload.exit_code, 4u);
    std::filesystem::remove_all(folder);
}

TEST(Calls, go_on_where_a_thread_that_is_not_the_first_calls_exec) {
    const model::Workload workload =
        python("import os, threading, time\n"
               "threading.Thread(target=lambda: os.execv('/bin/sh', ['sh', '-c', 'exit 6'])).start()\n"
               "time.sleep(5)");
    EXPECT_EQ(workload.exit_code, 6u);
    EXPECT_GE(call(workload.calls, "execve").count, 1u);
}

TEST(Calls, that_ask_without_waiting_are_counted_as_such) {
    const model::Workload workload =
        python("import os, select\n"
               "for i in range(300): os.sched_yield()\n"
               "for i in range(200): select.poll().poll(0)\n"
               "for i in range(100): select.select([], [], [], 0)\n"
               "for i in range(5): select.poll().poll(3); select.select([], [], [], 0.003)\n");
    EXPECT_EQ(call(workload.calls, "sched_yield").without_waiting, 300u);
    EXPECT_EQ(call(workload.calls, "poll").count, 205u);
    EXPECT_EQ(call(workload.calls, "poll").without_waiting, 200u);
    const uint64_t selects =
        call(workload.calls, "pselect6").without_waiting + call(workload.calls, "select").without_waiting;
    EXPECT_EQ(selects, 100u);
}

TEST(Calls, of_one_that_wants_to_be_traced_itself_cannot_be_and_it_is_said) {
    const model::Workload workload = python("import ctypes; ctypes.CDLL(None).ptrace(0, 0, 0, 0)");
    ASSERT_EQ(workload.problems.size(), 1u);
    EXPECT_NE(workload.problems[0].find("traces itself"), std::string::npos);
    EXPECT_TRUE(python("pass").problems.empty());
}

TEST(Calls, of_one_that_is_not_there_is_an_error_in_words) {
    const auto nothing = run_workload({{"/nowhere/nothing"}, true});
    ASSERT_FALSE(nothing);
    EXPECT_EQ(nothing.error().message, "cannot start /nowhere/nothing: No such file or directory");
}

TEST(Calls, are_counted_until_the_program_ends_and_what_it_leaves_behind_goes_on) {
    char name[] = "/tmp/thalweg-calls-XXXXXX";
    const std::string folder = mkdtemp(name);
    const std::string mark = folder + "/alive";
    // What is left behind does its work only when it is allowed to, here, or after ten seconds: nobody has waited for it.
    const std::string allowed = folder + "/allowed";
    shell("(i=0; until test -e " + allowed + " || [ $i -ge 200 ]; do sleep 0.05; i=$((i+1)); done; touch " + mark +
          ") >/dev/null 2>&1 & exit 0");
    EXPECT_FALSE(std::filesystem::exists(mark));
    std::ofstream(allowed).flush();
    for (int i = 0; i < 100 && !std::filesystem::exists(mark); ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
    EXPECT_TRUE(std::filesystem::exists(mark));
    std::filesystem::remove_all(folder);
}

TEST(CallNames, are_the_kernels_where_they_are_known) {
    EXPECT_EQ(name_of_call({AUDIT_ARCH_X86_64, SYS_openat}), "openat");
    EXPECT_EQ(name_of_call({AUDIT_ARCH_I386, 4}), "write");
    EXPECT_EQ(name_of_call({AUDIT_ARCH_X86_64, 123456}), "call 123456");
    EXPECT_EQ(name_of_error(2), "ENOENT");
    EXPECT_EQ(name_of_error(512), "ERESTARTSYS");
    EXPECT_EQ(name_of_error(4095), "error 4095");
}

}  // namespace
}  // namespace thalweg::measure
