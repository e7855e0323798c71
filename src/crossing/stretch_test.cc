// crossing: which calls are left out, and what is in the way of it. Descriptors are closed behind the stretch's back: a call that is made shows.
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <thread>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/single_threaded.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include "abi/crossing.h"
#include "crossing/own_calls.h"

namespace {

int advised = 0;
thalweg_crossing_stretch *ended_by_a_handler = nullptr;  // while its file system is asked for

}  // namespace

// Advice shows nowhere: what is given is counted on its way to the kernel.
extern "C" int posix_fadvise(int descriptor, off_t offset, off_t size, int advice) {
    ++advised;
    return ::syscall(SYS_fadvise64, descriptor, offset, size, advice) == 0 ? 0 : errno;
}

// The program's handlers end the stretch when they begin, and may make the descriptor another file's.
extern "C" int fstatfs(int descriptor, struct statfs *system) {
    if (ended_by_a_handler)
        ended_by_a_handler->descriptor = 0;
    return static_cast<int>(::syscall(SYS_fstatfs, descriptor, system));
}

namespace {

constexpr size_t page_bytes = 4096;

// A file of so many bytes, opened as a program does whose opens are told of.
struct File {
    explicit File(size_t size, int flags = O_RDONLY)
        : path(::testing::TempDir() + "/stretch-" + std::to_string(getpid())) {
        std::ofstream(path) << std::string(size, 'x');
        open(path, flags);
    }
    ~File() {
        ::unlink(path.c_str());
        close();
    }
    File(const File &) = delete;
    File &operator=(const File &) = delete;

    void open(const std::string &name, int flags = O_RDONLY) {
        close();
        stretch.descriptor = thalweg_crossing_being_opened;
        descriptor = ::open(name.c_str(), flags);
        thalweg_crossing_opened(&stretch, descriptor, flags);
    }
    void close() {
        if (descriptor >= 0)
            ::close(descriptor);
        descriptor = -1;
    }
    int fstat() {
        struct stat status{};
        return thalweg_crossing_fstat_into(&stretch, descriptor, &status);
    }
    ssize_t read(size_t size = 2 * page_bytes) { return thalweg_crossing_read(&stretch, descriptor, buffer, size); }
    off_t tell() { return thalweg_crossing_lseek(&stretch, descriptor, 0, SEEK_CUR); }
    int advise(int advice = POSIX_FADV_SEQUENTIAL) {
        return thalweg_crossing_posix_fadvise(&stretch, descriptor, 0, 0, advice);
    }
    void advise_unseen() { thalweg_crossing_advise(&stretch, descriptor, 0, 0, POSIX_FADV_SEQUENTIAL); }
    // Each of them fails where the call is made.
    bool leaves_out_a_read(size_t size = 2 * page_bytes) {
        ::close(descriptor);
        return read(size) == 0;
    }
    bool leaves_out_advice() {
        ::close(descriptor);
        return advise() == 0;
    }
    void append(const std::string &text) const { std::ofstream(path, std::ios::app) << text; }

    std::string path;
    thalweg_crossing_stretch stretch{};
    int descriptor = -1;
    char buffer[3 * page_bytes] = {};
};

// Where temporary files lie on a file system that isn't known, nothing may be left out.
class Stretch : public ::testing::Test {
  protected:
    void SetUp() override {
        __libc_single_threaded = 1;  // the library doesn't set it back when other tests' threads have ended
        File file(100);
        file.fstat();
        if (file.stretch.is_known == 0)
            GTEST_SKIP() << "the folder for temporary files is on a file system that isn't trusted";
    }
};

TEST_F(Stretch, leaves_out_the_read_that_would_find_the_end) {
    File file(100);
    EXPECT_EQ(file.fstat(), 0);
    EXPECT_EQ(file.read(), 100);
    errno = 77;
    EXPECT_TRUE(file.leaves_out_a_read());
    EXPECT_EQ(errno, 77);
}

TEST_F(Stretch, leaves_out_one_read_only) {
    File file(100);
    file.fstat();
    EXPECT_EQ(file.read(), 100);
    file.append("more");
    EXPECT_EQ(file.read(), 0);
    EXPECT_EQ(file.read(), 4);
    EXPECT_EQ(file.read(), 0);
}

TEST_F(Stretch, knows_the_end_after_several_reads) {
    File file(1000);
    file.fstat();
    EXPECT_EQ(file.read(600), 600);
    EXPECT_EQ(file.read(600), 400);
    EXPECT_TRUE(file.leaves_out_a_read());
}

TEST_F(Stretch, leaves_out_advice_about_a_small_file) {
    File file(100);
    file.fstat();
    EXPECT_TRUE(file.leaves_out_advice());
}

// How often the kernel is told when a file of this size is read, of which only advice is given.
int times_advised(size_t size) {
    File file(size);
    advised = 0;
    file.advise_unseen();
    file.read();
    file.read();
    return advised;
}

TEST_F(Stretch, leaves_out_advice_that_nobody_looks_at_where_the_first_read_finds_the_end) {
    EXPECT_EQ(times_advised(100), 0);
}

TEST_F(Stretch, gives_advice_that_nobody_looks_at_once_where_the_first_read_is_full) {
    EXPECT_EQ(times_advised(5 * page_bytes), 1);
}

TEST_F(Stretch, knows_the_offset) {
    File file(100);
    file.fstat();
    EXPECT_EQ(file.read(40), 40);
    ::close(file.descriptor);
    EXPECT_EQ(file.tell(), 40);
}

// ---- what is in the way, each with what it would have been ----

TEST_F(Stretch, makes_the_read_when_the_stretch_has_ended) {
    File file(100);
    file.fstat();
    file.read();
    file.stretch.descriptor = 0;
    EXPECT_FALSE(file.leaves_out_a_read());
}

TEST_F(Stretch, makes_the_read_when_the_size_is_not_known) {
    File file(100);
    file.read();
    EXPECT_FALSE(file.leaves_out_a_read());
}

TEST_F(Stretch, makes_the_read_when_the_last_one_was_full) {
    File file(100);
    file.fstat();
    EXPECT_EQ(file.read(100), 100);
    EXPECT_FALSE(file.leaves_out_a_read());
}

TEST_F(Stretch, makes_the_read_when_the_file_is_larger_than_it_was) {
    File file(100);
    file.fstat();
    file.append("more");
    EXPECT_EQ(file.read(), 104);
    EXPECT_FALSE(file.leaves_out_a_read());
}

TEST_F(Stretch, makes_the_read_when_the_file_is_smaller_than_it_was) {
    File file(100);
    file.fstat();
    ASSERT_EQ(::truncate(file.path.c_str(), 50), 0);
    EXPECT_EQ(file.read(), 50);
    EXPECT_FALSE(file.leaves_out_a_read());
}

// A page that can't be read, of the disk or of the memory, ends a read too.
TEST_F(Stretch, makes_the_read_where_a_page_of_the_file_ends) {
    File file(page_bytes);
    file.fstat();
    EXPECT_EQ(file.read(), static_cast<ssize_t>(page_bytes));
    EXPECT_FALSE(file.leaves_out_a_read());
}

TEST_F(Stretch, makes_the_read_where_the_memory_behind_may_not_be_written) {
    File file(100);
    char *pages = static_cast<char *>(
        ::mmap(nullptr, 2 * page_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    ASSERT_NE(pages, MAP_FAILED);
    ASSERT_EQ(::mprotect(pages + page_bytes, page_bytes, PROT_NONE), 0);
    file.fstat();
    file.append("more");
    EXPECT_EQ(thalweg_crossing_read(&file.stretch, file.descriptor, pages + page_bytes - 100, 200), 100);
    EXPECT_EQ(file.read(), 4);
    ::munmap(pages, 2 * page_bytes);
}

TEST_F(Stretch, makes_the_read_that_would_be_an_error) {
    File file(100);
    file.fstat();
    file.read();
    EXPECT_EQ(thalweg_crossing_read(&file.stretch, file.descriptor, reinterpret_cast<void *>(INTPTR_MIN), 100), -1);
    EXPECT_EQ(errno, EFAULT);
    EXPECT_EQ(file.read(SIZE_MAX), -1);
}

TEST_F(Stretch, makes_the_read_of_nothing) {
    File file(100);
    file.fstat();
    file.read();
    EXPECT_FALSE(file.leaves_out_a_read(0));
}

TEST_F(Stretch, makes_the_read_when_the_file_was_opened_otherwise) {
    for (const int flags : {O_RDWR, O_RDWR | O_APPEND, O_RDONLY | O_DIRECT}) {
        File file(100, flags);
        file.fstat();
        alignas(page_bytes) char buffer[page_bytes];
        if (thalweg_crossing_read(&file.stretch, file.descriptor, buffer, sizeof buffer) == 100) {
            EXPECT_FALSE(file.leaves_out_a_read()) << flags;
        }
    }
}

TEST_F(Stretch, makes_the_read_when_another_descriptor_was_read) {
    File file(100);
    file.fstat();
    file.read();
    const int other = ::dup(file.descriptor);
    EXPECT_EQ(thalweg_crossing_read(&file.stretch, other, file.buffer, 10), 0);
    EXPECT_FALSE(file.leaves_out_a_read());
    ::close(other);
}

TEST_F(Stretch, makes_the_read_when_the_offset_was_moved) {
    File file(100);
    file.fstat();
    file.read();
    EXPECT_EQ(thalweg_crossing_lseek(&file.stretch, file.descriptor, 10, SEEK_SET), 10);
    EXPECT_EQ(file.read(), 90);
    EXPECT_FALSE(file.leaves_out_a_read());
}

TEST_F(Stretch, makes_the_read_when_a_signals_handler_has_ended_the_stretch) {
    File file(100);
    file.fstat();
    file.read();
    file.stretch.busy = 1;  // as a handler finds it that has interrupted a call here
    EXPECT_EQ(file.read(), 0);
    file.stretch.busy = 0;
    EXPECT_FALSE(file.leaves_out_a_read());
}

TEST_F(Stretch, does_not_begin_when_a_handler_has_run_while_the_file_was_opened) {
    File file(100);
    file.stretch.descriptor = 0;
    thalweg_crossing_opened(&file.stretch, file.descriptor, O_RDONLY);
    EXPECT_EQ(file.stretch.descriptor, 0);
    file.stretch.descriptor = thalweg_crossing_being_opened;
    file.stretch.busy = 1;
    thalweg_crossing_opened(&file.stretch, file.descriptor, O_RDONLY);
    EXPECT_EQ(file.stretch.descriptor, 0);
}

TEST_F(Stretch, remembers_no_file_system_that_a_handler_came_to_while_it_was_asked_for) {
    File file(100);
    ended_by_a_handler = &file.stretch;
    EXPECT_EQ(file.fstat(), 0);
    ended_by_a_handler = nullptr;
    EXPECT_EQ(file.stretch.file_systems, 0U);
    EXPECT_EQ(file.stretch.is_known, 0U);
    file.read();
    EXPECT_FALSE(file.leaves_out_a_read());
}

TEST_F(Stretch, does_not_begin_where_the_program_may_make_no_calls_of_its_own) {
    thalweg_crossing_set_may_call(false);
    const File file(100);
    thalweg_crossing_set_may_call(true);
    EXPECT_EQ(file.stretch.descriptor, 0);
}

TEST_F(Stretch, is_told_by_statx_what_fstat_tells) {
    File file(12345);
    struct stat by_fstat{};
    struct stat by_room{};
    ASSERT_EQ(::fstat(file.descriptor, &by_fstat), 0);
    ASSERT_EQ(thalweg_crossing_fstat_into(&file.stretch, file.descriptor, &by_room), 0);
    EXPECT_EQ(std::memcmp(&by_fstat, &by_room, sizeof by_room), 0);
    EXPECT_NE(file.stretch.is_known, 0U);
    file.open("/dev/zero");
    ASSERT_EQ(::fstat(file.descriptor, &by_fstat), 0);
    ASSERT_EQ(thalweg_crossing_fstat_into(&file.stretch, file.descriptor, &by_room), 0);
    EXPECT_EQ(std::memcmp(&by_fstat, &by_room, sizeof by_room), 0);
}

TEST_F(Stretch, leaves_the_error_of_a_bad_address_to_fstat) {
    File file(100);
    errno = 0;
    EXPECT_EQ(thalweg_crossing_fstat(&file.stretch, file.descriptor, reinterpret_cast<struct stat *>(16)), -1);
    EXPECT_EQ(errno, EFAULT);
    file.read();
    EXPECT_FALSE(file.leaves_out_a_read());
}

TEST_F(Stretch, gives_advice_about_a_large_file) {
    File file(200UL * 1024);
    file.fstat();
    EXPECT_FALSE(file.leaves_out_advice());
    advised = 0;
    file.advise_unseen();
    EXPECT_EQ(advised, 1);
}

TEST_F(Stretch, gives_advice_of_other_kinds) {
    for (const int advice : {POSIX_FADV_WILLNEED, POSIX_FADV_DONTNEED, POSIX_FADV_RANDOM, 1000}) {
        File file(100);
        file.fstat();
        ::close(file.descriptor);
        EXPECT_NE(file.advise(advice), 0) << advice;
    }
}

// ---- files that are no plain files ----

TEST(StretchOf, an_empty_file_or_one_that_the_kernel_makes_leaves_nothing_out) {
    File file(0);
    for (const std::string &name :
         {file.path, std::string("/proc/self/status"), std::string("/sys/kernel/mm/ksm/run")}) {
        if (::access(name.c_str(), R_OK) != 0)
            continue;
        file.open(name);
        file.fstat();
        file.read();
        EXPECT_EQ(file.stretch.descriptor, 0) << name;
    }
}

TEST(StretchOf, a_folder_a_pipe_and_a_device_leave_nothing_out) {
    File file(0);
    const std::string fifo = file.path + ".fifo";
    ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
    for (const std::string &name : {std::string("/"), fifo, std::string("/dev/zero")}) {
        file.open(name, O_RDONLY | O_NONBLOCK);
        EXPECT_NE(file.stretch.descriptor, 0) << name;
        EXPECT_EQ(file.advise(), name == fifo ? ESPIPE : 0) << name;
        file.fstat();
        EXPECT_EQ(file.stretch.descriptor, 0) << name;
    }
    ::unlink(fifo.c_str());
}

TEST(StretchOf, a_file_that_is_not_there_is_none) {
    File file(0);
    file.open("/nonexistent/file");
    EXPECT_EQ(file.stretch.descriptor, 0);
    EXPECT_EQ(file.read(), -1);
    EXPECT_EQ(errno, EBADF);
}

TEST(StretchOf, a_process_with_threads_is_none) {
    const pid_t child = ::fork();
    if (child == 0) {
        std::thread([] {}).join();
        std::thread waiting([] { ::pause(); });
        waiting.detach();
        File file(100);
        ::_exit(file.stretch.descriptor == 0 ? 0 : 1);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

}  // namespace
