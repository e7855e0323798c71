// record: what perf script prints of the tracepoints of system calls, line by line, and the profile of it. The lines are perf 6.1's own.
#include "record/perf_trace.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "record/trace_test.h"

namespace thalweg::record {
namespace {

using testing::HasSubstr;

constexpr const char *raw_copying =
    "cat 11150 [000] 76152.969487000:  raw_syscalls:sys_exit: NR 59 = 0\n"
    "cat 11150 [000] 76152.969500000: raw_syscalls:sys_enter: NR 257 (ffffff9c, 7f6250af90b1, 80000, 0, 0, "
    "558a1e0a3ca2)\n"
    "cat 11150 [000] 76152.969501000:  raw_syscalls:sys_exit: NR 257 = 3\n"
    "cat 11150 [000] 76152.969510000: raw_syscalls:sys_enter: NR 262 (3, 7f6250af9c99, 7ffd115d96d0, 1000, 0, "
    "558a1e0a3ca2)\n"
    "cat 11150 [000] 76152.969511000:  raw_syscalls:sys_exit: NR 262 = 0\n"
    "cat 11150 [000] 76152.969520000: raw_syscalls:sys_enter: NR 0 (3, 7f6250ac6000, 20000, 0, 0, 0)\n"
    "cat 11150 [001] 76152.969523500:  raw_syscalls:sys_exit: NR 0 = 6\n"
    "cat 11150 [001] 76152.969524000: raw_syscalls:sys_enter: NR 1 (1, 7f6250ac6000, 6, 0, 0, 0)\n"
    "cat 11150 [001] 76152.969525000:  raw_syscalls:sys_exit: NR 1 = 6\n"
    "cat 11150 [001] 76152.969530000: raw_syscalls:sys_enter: NR 0 (3, 7f6250ac6000, 20000, 0, 0, 0)\n"
    "cat 11150 [001] 76152.969531000:  raw_syscalls:sys_exit: NR 0 = 0\n"
    "cat 11150 [001] 76152.969540000: raw_syscalls:sys_enter: NR 3 (9, 0, 0, 0, 0, 0)\n"
    "cat 11150 [001] 76152.969541000:  raw_syscalls:sys_exit: NR 3 = -9\n"
    "cat 11150 [001] 76152.969550000: raw_syscalls:sys_enter: NR 231 (0, 0, 0, 0, 0, 0)\n";

model::Profile profile_of(std::string_view text) { return profile_of_read(read_perf_trace(text)); }

TEST(PerfTrace, CountsCallsErrorsEndsBytesAndTimes) {
    const model::Profile profile = profile_of(raw_copying);
    EXPECT_EQ(profile.program, "cat");
    const model::NotedSystemCall read = call(profile, "read");
    EXPECT_EQ(read, (model::NotedSystemCall{read.site, 2, 0, 1, 2, 262144, 6, 2, 4500}));
    EXPECT_EQ(call(profile, "close").errors, 1u);
    EXPECT_EQ(call(profile, "fstat").calls, 1u) << "by what is asked of newfstatat";
    EXPECT_EQ(call(profile, "exit_group").calls, 1u) << "never came back";
    EXPECT_EQ(call(profile, "exit_group").timed, 0u);
    EXPECT_EQ(call(profile, "execve").calls, 0u) << "its entry was before perf began";
    EXPECT_EQ(profile.coverage.lost, 0u);
    EXPECT_EQ(profile.coverage.threads, 1u);
    EXPECT_EQ(profile.call_clock, model::CallClock::perf);
}

TEST(PerfTrace, TellsWhatTiesNeighboursAndTheTimeBetween) {
    const model::Profile profile = profile_of(raw_copying);
    EXPECT_EQ(edge(profile, "openat", "fstat").same_descriptor, 1u);
    const model::SystemCallEdge copied = edge(profile, "read", "write");
    EXPECT_EQ(copied.same_buffer, 1u);
    EXPECT_EQ(copied.result_is_size, 1u);
    EXPECT_EQ(copied.same_descriptor, 0u);
    EXPECT_EQ(copied.timed, 1u);
    EXPECT_EQ(copied.between_ns, 500u);
    EXPECT_EQ(edge(profile, "write", "read").between_ns, 5000u);
    EXPECT_EQ(edge(profile, "write", "read").result_is_size, 0u);
}

TEST(PerfTrace, NoDescriptorIsTheSameAsNone) {
    const model::Profile profile =
        profile_of("a 7 [000] 1.1: raw_syscalls:sys_enter: NR 9 (0, 2000, 3, 22, ffffffff, 0)\n"
                   "a 7 [000] 1.2:  raw_syscalls:sys_exit: NR 9 = 140060236996608\n"
                   "a 7 [000] 1.3: raw_syscalls:sys_enter: NR 9 (0, 2000, 3, 22, ffffffff, 0)\n"
                   "a 7 [000] 1.4:  raw_syscalls:sys_exit: NR 9 = 140060237996608\n"
                   "a 7 [000] 1.5: raw_syscalls:sys_enter: NR 11 (7f6250bba240, 2000, 0, 0, 0, 0)\n"
                   "a 7 [000] 1.6:  raw_syscalls:sys_exit: NR 11 = 0\n");
    EXPECT_EQ(edge(profile, "mmap", "mmap").same_descriptor, 0u);
    EXPECT_EQ(call(profile, "mmap").given_bytes, 2u * 0x2000);
    EXPECT_EQ(edge(profile, "mmap", "munmap").same_buffer, 1u);
}

TEST(PerfTrace, NamedTracepointsAreTheSameCalls) {
    const model::Profile profile = profile_of(
        "   cat 11406 [000] 76156.015439:   syscalls:sys_enter_openat: dfd: 0xffffff9c, filename: 0x7ff5481421e0, "
        "flags: 0x00080000\n"
        "   cat 11406 [000] 76156.015443:    syscalls:sys_exit_openat: 0x3\n"
        "   cat 11406 [000] 76156.015444:     syscalls:sys_enter_read: fd: 0x00000003, buf: 0x7fffddf10f98, count: "
        "0x00000340\n"
        "   cat 11406 [000] 76156.015446:      syscalls:sys_exit_read: 0x340\n"
        "   cat 11406 [000] 76156.015447:   syscalls:sys_enter_access: filename: 0x7ff5481762a0, mode: 0x00000004\n"
        "   cat 11406 [000] 76156.015449:    syscalls:sys_exit_access: 0xfffffffffffffffe\n");
    EXPECT_EQ(edge(profile, "openat", "read").same_descriptor, 1u);
    EXPECT_EQ(call(profile, "read").given_bytes, 0x340u);
    EXPECT_EQ(call(profile, "access").errors, 1u);
    EXPECT_EQ(edge(profile, "openat", "read").between_ns, 1000u);
}

TEST(PerfTrace, StacksTellTheProgramsOwnCaller) {
    const model::Profile profile =
        profile_of("plain 7/8 76152.969655: raw_syscalls:sys_enter: NR 0 (3, 7ffd, a, 0, 0, 0)\n"
                   "\tffffffff81417d70 syscall_trace_enter+0x180 ([kernel.kallsyms])\n"
                   "\t           f7d10 __read+0x10 (/usr/lib/x86_64-linux-gnu/libc.so.6)\n"
                   "\t            124f read+0x1f (inlined)\n"
                   "\t            124f copy+0x1f (/tmp/plain)\n"
                   "\t            13a2 main+0x2 (/tmp/plain)\n"
                   "\n"
                   "plain 7/8 76152.969659:  raw_syscalls:sys_exit: NR 0 = 1\n"
                   "\n"
                   "plain 7/8 76152.969660: raw_syscalls:sys_enter: NR 0 (3, 7ffd, a, 0, 0, 0)\n"
                   "\t               0 [unknown] ([unknown])\n"
                   "\t            2c3c [unknown] (/tmp/plain)\n"
                   "\n"
                   "plain 7/8 76152.969661:  raw_syscalls:sys_exit: NR 0 = 1\n"
                   "plain 7/8 76152.969662: raw_syscalls:sys_enter: NR 0 (3, 7ffd, a, 0, 0, 0)\n"
                   "plain 7/8 76152.969663:  raw_syscalls:sys_exit: NR 0 = 1\n");
    ASSERT_EQ(profile.sites.size(), 3u);
    EXPECT_EQ(profile.sites[0].function, "copy+0x1f");
    EXPECT_EQ(profile.sites[1].function, "plain+0x2c3c");
    EXPECT_EQ(profile.sites[2].function, "read") << "a kind of call, where no stack tells more";
}

TEST(PerfTrace, APlaceBehindTheCallIsNoPartOfIt) {
    const std::string place = " ffffffff81417e9c syscall_exit_work+0xbc ([kernel.kallsyms])\n";
    const model::Profile profile =
        profile_of("a 7 1.1: raw_syscalls:sys_enter: NR 0 (3, 7ffd, a, 0, 0, 0)" + place +
                   "a 7 1.2: raw_syscalls:sys_exit: NR 0 = 4" + place +
                   "a 7 1.3: syscalls:sys_enter_write: fd: 0x00000003, buf: 0x7ffd, count: 0x00000004" + place +
                   "a 7 1.4: syscalls:sys_exit_write: 0x4" + place);
    EXPECT_EQ(edge(profile, "read", "write").result_is_size, 1u);
    EXPECT_EQ(edge(profile, "read", "write").same_descriptor, 1u);
    EXPECT_EQ(call(profile, "write").given_bytes, 4u);
}

TEST(PerfTrace, CallsOfThreadsAreApart) {
    const model::Profile profile = profile_of("a b 7/7 1.1: raw_syscalls:sys_enter: NR 0 (3, 7ffd, a, 0, 0, 0)\n"
                                              "a b 7/8 1.2: raw_syscalls:sys_enter: NR 1 (1, 7ffd, 1, 0, 0, 0)\n"
                                              "a b 7/8 1.3:  raw_syscalls:sys_exit: NR 1 = 1\n"
                                              "a b 7/7 1.4:  raw_syscalls:sys_exit: NR 0 = 1\n"
                                              "a b 7/7 1.5: raw_syscalls:sys_enter: NR 3 (3, 0, 0, 0, 0, 0)\n"
                                              "a b 7/7 1.6:  raw_syscalls:sys_exit: NR 3 = 0\n");
    EXPECT_EQ(profile.program, "a b");
    EXPECT_EQ(edge(profile, "read", "close").same_descriptor, 1u);
    EXPECT_EQ(edge(profile, "write", "read").weight, 0u);
    EXPECT_EQ(call(profile, "read").inside_ns, 300'000'000u);
    EXPECT_EQ(profile.coverage.threads, 2u);
}

TEST(PerfTrace, WithoutTimesNothingIsTimed) {
    const model::Profile profile = profile_of("a 7 raw_syscalls:sys_enter: NR 0 (3, 7ffd, a, 0, 0, 0)\n"
                                              "a 7 1.5:  raw_syscalls:sys_exit: NR 0 = 1\n"
                                              "a 7 1.6: raw_syscalls:sys_enter: NR 3 (3, 0, 0, 0, 0, 0)\n"
                                              "a 7  raw_syscalls:sys_exit: NR 3 = 0\n");
    EXPECT_EQ(edge(profile, "read", "close").weight, 1u);
    EXPECT_EQ(edge(profile, "read", "close").timed, 0u);
    EXPECT_EQ(profile.call_clock, model::CallClock::none);
}

TEST(PerfTrace, WhatDoesNotFitTogetherIsCounted) {
    const std::string text = std::string(raw_copying) + "a 7 1.1: raw_syscalls:sys_enter: NR 0 (3, 7ffd, a, 0, 0, 0)\n"
                                                        "a 7 1.2:  raw_syscalls:sys_exit: NR 1 = 1\n"
                                                        "a 7 1.2:  raw_syscalls:sys_exit: NR x = 1\n"
                                                        "a 7 1.2:  raw_syscalls:sys_exit: NR 1\n"
                                                        "a x 1.2:  raw_syscalls:sys_exit: NR 1 = 1\n"
                                                        "a 7 1.2: sched:sched_switch: prev_comm=cat\n";
    const auto trace = read_perf_trace(text);
    ASSERT_TRUE(trace);
    EXPECT_EQ(trace->unknown_lines, 5u);
    EXPECT_EQ(call(profile_of(text), "read").calls, 2u);
}

TEST(PerfTrace, OtherTextsAreRefusedAndTheLineIsNamed) {
    EXPECT_FALSE(read_perf_trace(""));
    const auto other = read_perf_trace("# comment\nhello\n");
    ASSERT_FALSE(other);
    EXPECT_THAT(other.error().message, HasSubstr("none of 2 lines"));
    EXPECT_THAT(other.error().message, HasSubstr("line 2 is the first"));
    const auto entries = read_perf_trace("a 7 1.1: raw_syscalls:sys_enter: NR 0 (3, 7ffd, a, 0, 0, 0)\n");
    ASSERT_FALSE(entries) << "entries alone";
    const auto own = read_perf_trace("PERFILE2\x10");
    ASSERT_FALSE(own);
    EXPECT_THAT(own.error().message, HasSubstr("perf script --ns -i"));
}

}  // namespace
}  // namespace thalweg::record
