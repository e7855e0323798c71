// record: what strace writes, line by line, and the profile of it.
#include "record/strace.h"

#include <fmt/printf.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "record/trace_test.h"

namespace thalweg::record {
namespace {

using testing::HasSubstr;

constexpr const char *copying =
    "7 1.5 execve(\"/usr/bin/cat\", [\"cat\", \"f\"], 0x7ff /* 35 vars */) = 0 <0.000160>\n"
    "7 1.6 openat(AT_FDCWD, \"f, (odd) \\\" name\", O_RDONLY) = 3 <0.000011>\n"
    "7 1.6 newfstatat(3, \"\", {st_mode=S_IFREG|0644, st_size=6, ...}, AT_EMPTY_PATH) = 0 <0.000011>\n"
    "7 1.7 fadvise64(3, 0, 0, POSIX_FADV_SEQUENTIAL) = 0 <0.000007>\n"
    "7 1.8 mmap(NULL, 139264, PROT_READ|PROT_WRITE, MAP_PRIVATE|MAP_ANONYMOUS, -1, 0) = 0x7f0856d7e000\n"
    "7 1.9 read(3</tmp/f>, \"hello\\n\", 131072) = 6 <0.000011>\n"
    "7 2.0 write(1, \"hello\\n\", 6) = 6 <0.000007>\n"
    "7 2.1 read(3, \"\", 131072) = 0 <0.000007>\n"
    "7 2.2 munmap(0x7f0856d7e000, 139264) = 0\n"
    "7 2.3 close(9) = -1 EBADF (Bad file descriptor)\n"
    "7 2.4 exit_group(0) = ?\n"
    "7 2.5 +++ exited with 0 +++\n";

model::Profile profile_of(std::string_view text) { return profile_of_read(read_strace(text)); }

TEST(Strace, CountsCallsErrorsEndsAndBytes) {
    const model::Profile profile = profile_of(copying);
    EXPECT_EQ(profile.program, "/usr/bin/cat");
    EXPECT_THAT(profile.command, HasSubstr("\"cat\", \"f\""));
    const model::NotedSystemCall &read = call(profile, "read");
    EXPECT_EQ(read, (model::NotedSystemCall{read.site, 2, 0, 1, 2, 262144, 6, 2, 18000}));
    EXPECT_EQ(call(profile, "close").errors, 1u);
    EXPECT_EQ(call(profile, "posix_fadvise").calls, 1u) << "by the C library's name";
    EXPECT_EQ(call(profile, "exit_group").errors, 0u);
    EXPECT_EQ(profile.coverage.lost, 0u);
    EXPECT_EQ(profile.coverage.threads, 1u);
}

TEST(Strace, TellsWhatTiesNeighbours) {
    const model::Profile profile = profile_of(copying);
    EXPECT_EQ(edge(profile, "openat", "fstat").same_descriptor, 1u);
    EXPECT_EQ(edge(profile, "fstat", "posix_fadvise").same_descriptor, 1u);
    EXPECT_EQ(edge(profile, "read", "write").result_is_size, 1u);
    EXPECT_EQ(edge(profile, "read", "write").same_descriptor, 0u);
    EXPECT_EQ(edge(profile, "write", "read").weight, 1u);
    EXPECT_EQ(edge(profile, "munmap", "close").same_descriptor, 0u);
    EXPECT_EQ(edge(profile, "execve", "write").weight, 0u);
}

TEST(Strace, AdjacentWritesGoOnWhereTheOneBeforeEnded) {
    EXPECT_EQ(edge(profile_of("write(1, \"ab\", 2) = 2\nwrite(1, \"c\", 1) = 1\n"), "write", "write").adjacent, 1u);
    EXPECT_EQ(edge(profile_of("write(1, \"ab\", 2) = 2\nwrite(2, \"c\", 1) = 1\n"), "write", "write").adjacent, 0u);
    EXPECT_EQ(
        edge(profile_of("pwrite64(1, \"ab\", 2, 10) = 2\npwrite64(1, \"c\", 1, 12) = 1\n"), "pwrite64", "pwrite64")
            .adjacent,
        1u);
    EXPECT_EQ(
        edge(profile_of("pwrite64(1, \"ab\", 2, 10) = 2\npwrite64(1, \"c\", 1, 10) = 1\n"), "pwrite64", "pwrite64")
            .adjacent,
        0u);
}

TEST(Strace, StacksTellTheProgramsOwnCaller) {
    const model::Profile profile = profile_of("7 1.9 read(3, \"\", 10) = 0\n"
                                              " > /usr/lib/x86_64-linux-gnu/libc.so.6(__read+0x10) [0xf7]\n"
                                              " > /usr/bin/cat(copy+0x1f) [0x2a3c]\n"
                                              " > /usr/bin/cat(main+0x2) [0x2b3c]\n"
                                              "7 1.9 read(3, \"\", 10) = 0\n"
                                              " > /usr/bin/cat() [0x2c3c]\n");
    ASSERT_EQ(profile.sites.size(), 2u);
    EXPECT_EQ(profile.sites[0].function, "copy+0x1f");
    EXPECT_EQ(profile.sites[1].function, "cat+0x2c3c");
    EXPECT_EQ(profile_of("read(3, \"\", 10) = 0\n").sites[0].function, "read") << "a kind of call, without stacks";
}

TEST(Strace, CallsOfThreadsThatInterruptEachOtherAreJoined) {
    const model::Profile profile = profile_of("[pid    7] read(3,  <unfinished ...>\n"
                                              "[pid    8] write(1, \"a\", 1) = 1\n"
                                              "[pid    8] --- SIGCHLD {si_signo=SIGCHLD} ---\n"
                                              "[pid    7] <... read resumed>\"b\", 10) = 1\n"
                                              "[pid    7] close(3) = 0\n");
    EXPECT_EQ(call(profile, "read").given_bytes, 1u);
    EXPECT_EQ(edge(profile, "read", "close").same_descriptor, 1u);
    EXPECT_EQ(edge(profile, "write", "read").weight, 0u) << "another thread's";
    EXPECT_EQ(profile.coverage.threads, 2u);
}

constexpr const char *at_times = "%s10 read(3, \"x\", 1) = 1 <0.000011>\n%s31 write(1, \"x\", 1) = 1 <0.000007>\n";

TEST(Strace, TheTimeBetweenIsFromTheEndOfOneToTheBeginningOfTheNext) {
    for (const char *begin : {"1700000000.0000", "23:59:59.0000"}) {
        const model::Profile profile = profile_of(fmt::sprintf(at_times, begin, begin));
        EXPECT_EQ(profile.call_clock, model::CallClock::strace);
        EXPECT_EQ(edge(profile, "read", "write"), (model::SystemCallEdge{0, 1, 1, 0, 0, 1, 0, 1, 10000, 10000}))
            << begin;
        EXPECT_EQ(call(profile, "read").inside_ns, 11000u);
    }
}

TEST(Strace, TimesSinceTheLineBeforeAreAddedUp) {
    const model::Profile profile = profile_of("     0.000000 read(3, \"x\", 1) = 1 <0.000011>\n"
                                              "     0.000020 --- SIGCHLD {si_signo=SIGCHLD} ---\n"
                                              "     0.000011 write(1, \"x\", 1) = 1 <0.000007>\n");
    EXPECT_EQ(edge(profile, "read", "write").between_ns, 20000u);
    EXPECT_EQ(profile.coverage.lost, 0u);
}

TEST(Strace, ACallThatOthersInterruptBeginsWhereItBegan) {
    const model::Profile profile = profile_of("7 1700000000.000100 read(3,  <unfinished ...>\n"
                                              "8 1700000000.000150 write(1, \"a\", 1) = 1 <0.000010>\n"
                                              "7 1700000000.000300 <... read resumed>\"b\", 10) = 1 <0.000200>\n"
                                              "7 1700000000.000305 close(3) = 0 <0.000001>\n");
    EXPECT_EQ(call(profile, "read").inside_ns, 200000u);
    EXPECT_EQ(edge(profile, "read", "close").between_ns, 5000u);
}

TEST(Strace, WithoutTimesOrWithoutThoseInCallsNothingIsTimed) {
    for (const char *text : {"read(3, \"x\", 1) = 1\nclose(3) = 0\n", "1.5 read(3, \"x\", 1) = 1\n1.6 close(3) = 0\n",
                             "read(3, \"x\", 1) = 1 <0.000011>\nclose(3) = 0 <0.000011>\n",
                             "12:00:00 read(3, \"x\", 1) = 1 <0.000011>\n12:00:00 close(3) = 0 <0.000011>\n"}) {
        const model::Profile profile = profile_of(text);
        EXPECT_EQ(profile.call_clock, model::CallClock::none) << text;
        EXPECT_EQ(edge(profile, "read", "close").timed, 0u) << text;
    }
}

TEST(Strace, AClockThatWentBackGivesNoTime) {
    const model::Profile profile = profile_of("23:59:59.999990 read(3, \"x\", 1) = 1 <0.000001>\n"
                                              "00:00:00.000010 close(3) = 0 <0.000001>\n");
    EXPECT_EQ(edge(profile, "read", "close").timed, 0u);
    EXPECT_EQ(call(profile, "read").timed, 1u);
}

TEST(Strace, OtherTextsAreRefusedAndOtherLinesAreCounted) {
    EXPECT_FALSE(read_strace(""));
    const auto other = read_strace("hello\nworld (1) = 2\n");
    ASSERT_FALSE(other);
    EXPECT_THAT(other.error().message,
                HasSubstr("none of 2 lines is a system call as strace writes it, line 1 is the first"));
    EXPECT_EQ(profile_of("read(3, \"\", 10) = 0\nhello\nread(3, \"\n").coverage.lost, 2u);
}

}  // namespace
}  // namespace thalweg::record
