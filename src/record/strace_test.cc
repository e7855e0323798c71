// record: what strace writes, line by line, and the profile of it.
#include "record/strace.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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

model::Profile profile_of(std::string_view text) {
    const auto trace = read_strace(text);
    EXPECT_TRUE(trace) << trace.error().message;
    const auto profile = profile_of_trace(*trace);
    EXPECT_TRUE(profile) << profile.error().message;
    return *profile;
}

const model::NotedSystemCall &call(const model::Profile &profile, std::string_view callee) {
    for (const model::NotedSystemCall &one : profile.system_calls)
        if (profile.sites[one.site].callee == callee)
            return one;
    static const model::NotedSystemCall none_such{};
    return none_such;
}

model::SystemCallEdge edge(const model::Profile &profile, std::string_view from, std::string_view to) {
    for (const model::SystemCallEdge &one : profile.system_call_edges)
        if (profile.sites[one.from].callee == from && profile.sites[one.to].callee == to)
            return one;
    return {};
}

TEST(Strace, CountsCallsErrorsEndsAndBytes) {
    const model::Profile profile = profile_of(copying);
    EXPECT_EQ(profile.program, "/usr/bin/cat");
    EXPECT_THAT(profile.command, HasSubstr("\"cat\", \"f\""));
    const model::NotedSystemCall &read = call(profile, "read");
    EXPECT_EQ(read, (model::NotedSystemCall{read.site, 2, 0, 1, 2, 262144, 6}));
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

TEST(Strace, OtherTextsAreRefusedAndOtherLinesAreCounted) {
    EXPECT_FALSE(read_strace(""));
    const auto other = read_strace("hello\nworld (1) = 2\n");
    ASSERT_FALSE(other);
    EXPECT_THAT(other.error().message, HasSubstr("none of 2 lines"));
    EXPECT_EQ(profile_of("read(3, \"\", 10) = 0\nhello\nread(3, \"\n").coverage.lost, 2u);
}

}  // namespace
}  // namespace thalweg::record
