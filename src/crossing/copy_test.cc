// crossing: which files are copied by the kernel, that the offsets end at a block, and who is left to the loop.
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <random>
#include <string>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/single_threaded.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "abi/crossing.h"
#include "crossing/apart_test.h"
#include "crossing/file_system.h"
#include "crossing/own_calls.h"

// The kernel's, that ends once after so many bytes, as where the process is stopped; and a signal comes.
static size_t stopped_after = 0;
extern "C" ssize_t sendfile(int to, int from, off_t *offset, size_t count) noexcept {
    const size_t most = std::exchange(stopped_after, 0);
    if (most == 0)
        return syscall(SYS_sendfile, to, from, offset, count);
    raise(SIGUSR1);
    return syscall(SYS_sendfile, to, from, offset, std::min(most, count));
}

namespace {

constexpr size_t block = 4096;

// No two blocks are alike.
std::string random_bytes(size_t size, uint32_t seed) {
    std::string bytes(size, '\0');
    std::mt19937 random(seed);
    for (size_t i = 0; i < size; i += 64)
        bytes[i] = static_cast<char>(random());
    return bytes;
}

// Two files in the folder of the tests: on a file system of the list, or nothing of this is copied.
class Copy : public testing::Test {
  protected:
    void SetUp() override {
        ASSERT_TRUE(__libc_single_threaded) << "a test before this one had threads: passes_apart";
        folder_ = testing::TempDir() + "crossing-XXXXXX";
        ASSERT_NE(mkdtemp(folder_.data()), nullptr);
        const int folder = open(folder_.c_str(), O_RDONLY);
        const uint32_t promises = thalweg_crossing_promises_of(folder);
        close(folder);
        if ((promises & thalweg_crossing_copies_bytes) == 0)
            GTEST_SKIP() << "the file system of the folder for temporary files is not among those that copy";
    }

    void TearDown() override {
        for (const char *name : {"/from", "/to"})
            unlink((folder_ + name).c_str());
        rmdir(folder_.c_str());
    }

    int source(const std::string &bytes, int flags = O_RDONLY) {
        const int made = open(path("/from").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
        EXPECT_EQ(write(made, bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
        close(made);
        return open(path("/from").c_str(), flags);
    }

    int target(int flags = O_WRONLY) { return open(path("/to").c_str(), flags | O_CREAT | O_TRUNC, 0600); }

    std::string written() {
        std::string bytes(8UL << 20, '\0');
        const int read_again = open(path("/to").c_str(), O_RDONLY);
        const ssize_t size = read(read_again, bytes.data(), bytes.size());
        bytes.resize(size > 0 ? static_cast<size_t>(size) : 0);
        close(read_again);
        return bytes;
    }

    // What the loop does with what is left.
    static void finish(int from, int to, size_t size) {
        std::string bytes(size, '\0');
        for (ssize_t got = 0; (got = read(from, bytes.data(), size)) > 0;)
            ASSERT_EQ(write(to, bytes.data(), static_cast<size_t>(got)), got);
    }

    void expect_nothing_copied(int from, int to) {
        errno = 77;
        EXPECT_EQ(thalweg_crossing_copy(from, to, block), 0U);
        EXPECT_EQ(errno, 77);
        EXPECT_TRUE(written().empty());
        close(from);
        close(to);
    }

    std::string path(const char *name) const { return folder_ + name; }

  private:
    std::string folder_;
};

TEST_F(Copy, leaves_what_is_less_than_a_block) {
    const std::string bytes = random_bytes(20 * block + 100, 1);
    const int from = source(bytes);
    const int to = target();
    EXPECT_EQ(thalweg_crossing_copy(from, to, block), 20 * block);
    EXPECT_EQ(lseek(from, 0, SEEK_CUR), 20 * off_t(block));
    EXPECT_EQ(lseek(to, 0, SEEK_CUR), 20 * off_t(block));
    finish(from, to, block);
    EXPECT_EQ(written(), bytes);
    close(from);
    close(to);
}

TEST_F(Copy, ends_as_the_loop_would_from_any_offset_and_with_any_block) {
    std::mt19937 random(5);
    for (uint32_t round = 0; round < 100; ++round) {
        const std::string bytes = random_bytes(random() % (4U << 20), round);
        const size_t size = random() % 3 == 0 ? 1 + random() % 3000000 : 1 + random() % 9000;
        const off_t start = random() % 4 == 0 ? random() % 5000 : 0;
        const int from = source(bytes);
        const int to = target();
        ASSERT_EQ(lseek(from, start, SEEK_SET), start);
        ASSERT_EQ(lseek(to, 3, SEEK_SET), 3);
        const size_t copied = thalweg_crossing_copy(from, to, size);
        EXPECT_EQ(copied % size, 0U);
        EXPECT_EQ(lseek(from, 0, SEEK_CUR), start + off_t(copied));
        EXPECT_EQ(lseek(to, 0, SEEK_CUR), 3 + off_t(copied));
        finish(from, to, size);
        const std::string rest = size_t(start) < bytes.size() ? bytes.substr(size_t(start)) : "";
        EXPECT_EQ(written(), rest.empty() ? "" : std::string(3, '\0') + rest);
        close(from);
        close(to);
    }
}

TEST_F(Copy, leaves_small_files_to_the_loop) {
    expect_nothing_copied(source(random_bytes(7 * block, 2)), target());
    expect_nothing_copied(source(""), target());
}

TEST_F(Copy, leaves_what_is_appended_or_written_at_once) {
    for (const int flags : {O_APPEND, O_SYNC, O_DSYNC})
        expect_nothing_copied(source(random_bytes(20 * block, 3)), target(O_WRONLY | flags));
}

TEST_F(Copy, leaves_what_is_no_file_or_not_open) {
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    expect_nothing_copied(source(random_bytes(20 * block, 3)), ends[1]);
    expect_nothing_copied(ends[0], target());
    expect_nothing_copied(-1, target());
    expect_nothing_copied(source(random_bytes(20 * block, 3)), -1);
    expect_nothing_copied(open("/proc/self/maps", O_RDONLY), target());
    expect_nothing_copied(open("/dev/zero", O_RDONLY), target());
}

TEST_F(Copy, leaves_errors_to_the_loop) {
    expect_nothing_copied(source(random_bytes(20 * block, 3), O_WRONLY), target());
    const int only_read = target(O_RDONLY);
    expect_nothing_copied(source(random_bytes(20 * block, 3)), only_read);
}

TEST_F(Copy, leaves_a_file_that_is_copied_into_itself) {
    const std::string bytes = random_bytes(20 * block, 4);
    const int from = source(bytes);
    const int to = open(path("/from").c_str(), O_WRONLY);
    EXPECT_EQ(thalweg_crossing_copy(from, to, block), 0U);
    close(from);
    close(to);
}

// With a limit of so many blocks: how many of twenty are copied, behind one that is there.
int copied_below(const std::string &from_path, const std::string &to_path, rlim_t blocks) {
    const pid_t child = fork();
    if (child == 0) {
        const int from = open(from_path.c_str(), O_RDONLY);
        const int to = open(to_path.c_str(), O_WRONLY | O_TRUNC);
        const rlimit limit{blocks * block, blocks * block};
        const bool is_set = lseek(to, block, SEEK_SET) == block && setrlimit(RLIMIT_FSIZE, &limit) == 0;
        _exit(is_set ? static_cast<int>(thalweg_crossing_copy(from, to, block) / block) : 100);
    }
    int status = 0;
    EXPECT_EQ(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

TEST_F(Copy, leaves_what_would_reach_beyond_the_limit_of_a_files_size) {
    close(source(random_bytes(20 * block, 4)));
    close(target());
    EXPECT_EQ(copied_below(path("/from"), path("/to"), 20), 0);
    EXPECT_EQ(copied_below(path("/from"), path("/to"), 0), 0);
    EXPECT_TRUE(written().empty());
    EXPECT_EQ(copied_below(path("/from"), path("/to"), 21), 20);
    EXPECT_EQ(written().size(), 21U * block);
}

// What the handler of the next test has found: the offsets, errno.
off_t found_at[2] = {};
int found_errno = 0;
int handled[2] = {};

TEST_F(Copy, lets_a_handler_run_between_two_parts_and_nowhere_else) {
    const std::string bytes = random_bytes(5UL << 20, 6);
    const int from = handled[0] = source(bytes);
    const int to = handled[1] = target();
    const auto on_signal = [](int) {
        found_errno = errno;
        for (int i = 0; i < 2; ++i)
            found_at[i] = lseek(handled[i], 0, SEEK_CUR);
        errno = EDOM;
    };
    struct sigaction action{};
    struct sigaction before{};
    action.sa_handler = on_signal;
    ASSERT_EQ(sigaction(SIGALRM, &action, &before), 0);
    const itimerval soon = {{0, 0}, {0, 1}};
    errno = 77;
    ASSERT_EQ(setitimer(ITIMER_REAL, &soon, nullptr), 0);
    EXPECT_EQ(thalweg_crossing_copy(from, to, 1000), bytes.size() / 1000 * 1000);
    EXPECT_EQ(found_at[0] % 1000, 0);
    EXPECT_EQ(found_at[0], found_at[1]);
    EXPECT_EQ(found_errno, 77);
    EXPECT_EQ(errno, EDOM);
    sigset_t mask;
    ASSERT_EQ(sigprocmask(SIG_BLOCK, nullptr, &mask), 0);
    EXPECT_EQ(sigismember(&mask, SIGALRM), 0);
    sigaction(SIGALRM, &before, nullptr);
    finish(from, to, 1000);
    EXPECT_EQ(written(), bytes);
    close(from);
    close(to);
}

TEST_F(Copy, lets_no_handler_find_half_a_block) {
    const std::string bytes = random_bytes(20 * block, 8);
    const int from = handled[0] = source(bytes);
    const int to = handled[1] = target();
    const auto on_signal = [](int) {
        found_at[0] = lseek(handled[1], 0, SEEK_CUR);
        found_at[1] = lseek(handled[1], 0, SEEK_END);
        lseek(handled[1], found_at[0], SEEK_SET);
    };
    struct sigaction action{};
    struct sigaction before{};
    action.sa_handler = on_signal;
    ASSERT_EQ(sigaction(SIGUSR1, &action, &before), 0);
    stopped_after = 2 * block + 100;
    EXPECT_EQ(thalweg_crossing_copy(from, to, block), bytes.size());
    EXPECT_EQ(found_at[0], 3 * block);
    EXPECT_EQ(found_at[1], 3 * block);
    EXPECT_EQ(written(), bytes);
    sigaction(SIGUSR1, &before, nullptr);
    close(from);
    close(to);
}

TEST_F(Copy, leaves_all_to_the_loop_where_the_program_may_make_no_calls_of_its_own) {
    thalweg_crossing_set_may_call(false);
    expect_nothing_copied(source(random_bytes(20 * block, 3)), target());
    thalweg_crossing_set_may_call(true);
}

TEST_F(Copy, leaves_all_to_the_loop_where_other_threads_run) {
    EXPECT_TRUE(passes_apart([&] {
        std::thread other([] {});
        expect_nothing_copied(source(random_bytes(20 * block, 3)), target());
        other.join();
    }));
}

}  // namespace
