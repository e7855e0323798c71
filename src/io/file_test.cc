// io: files under io_uring and under epoll, as claims.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <optional>
#include <string>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include <thalweg/loop.h>
#include <thalweg/tame.h>
#include <thalweg/tame/file.h>

namespace {

using namespace std::chrono_literals;
using namespace thalweg::tame;
using Clock = std::chrono::steady_clock;

std::string text_of(size_t size) {
    std::string text(size, ' ');
    for (size_t i = 0; i < size; ++i)
        text[i] = static_cast<char>('a' + (i * 7919 + i / 251) % 26);
    return text;
}

size_t open_descriptors() {
    const std::filesystem::directory_iterator all("/proc/self/fd");
    return static_cast<size_t>(std::distance(begin(all), end(all)));
}

class File : public testing::TestWithParam<const char *> {
  public:
    File() {
        setenv("THALWEG_IO", GetParam(), 1);
        loop_.emplace();
        if (!mkdtemp(folder_.data()))
            throw std::system_error(errno, std::generic_category(), folder_);
    }
    ~File() override {
        loop_.reset();
        unsetenv("THALWEG_IO");
        std::filesystem::remove_all(folder_);
    }
    std::string path(const std::string &name) const { return folder_ + "/" + name; }
    std::string make(const std::string &name, const std::string &bytes) const {
        const int fd = ::open(path(name).c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
        EXPECT_EQ(::write(fd, bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
        ::close(fd);
        return path(name);
    }
    void run(tamed<> function) {
        const auto end = Clock::now() + 60s;
        while (!function.has_returned()) {
            if (Clock::now() > end) {
                ADD_FAILURE() << "it does not end";
                std::abort();
            }
            loop_->run_once();
        }
    }

    std::optional<thalweg::Loop> loop_;
    std::string folder_ = testing::TempDir() + "thalweg-file-XXXXXX";
};

TEST_P(File, ReadsWhatWasWritten) {
    run([](File &test) -> tamed<> {
        opened made = co_await open_file(test.path("new"), O_CREAT | O_RDWR, 0600);
        EXPECT_FALSE(made.error) << made.error.message();
        const transferred first = co_await made.handle.write("0123456789", 0);
        EXPECT_EQ(first.size, 10U);
        const transferred second = co_await made.handle.write("abc", 5);
        EXPECT_FALSE(second.error);
        EXPECT_FALSE(co_await made.handle.sync());
        const file_status status = co_await made.handle.status();
        EXPECT_EQ(status.info.st_size, 10);
        std::array<char, 6> bytes{};
        const transferred got = co_await made.handle.read(bytes, 3);
        EXPECT_EQ(std::string(bytes.data(), got.size), "34abc8");
        EXPECT_FALSE(got.error);
        EXPECT_FALSE(co_await made.handle.close());
        EXPECT_FALSE(made.handle);
        const file_status by_path = co_await status_of(test.path("new"));
        EXPECT_EQ(by_path.info.st_size, 10);
        EXPECT_EQ(by_path.info.st_mode & 0777, 0600U);
    }(*this));
}

TEST_P(File, AReadIsShortOnlyWhereTheFileEnds) {
    const std::string all = text_of(5'000'000);
    run([](std::string path, const std::string &expected) -> tamed<> {
        const opened big = co_await open_file(path);
        std::string bytes(expected.size() + 1000, '\0');
        const transferred got = co_await big.handle.read(bytes, 0);
        EXPECT_EQ(got.size, expected.size());
        EXPECT_TRUE(std::equal(expected.begin(), expected.end(), bytes.begin()));
        const transferred rest = co_await big.handle.read(std::span(bytes).first(100), expected.size() - 10);
        EXPECT_EQ(rest.size, 10U);
        const transferred beyond = co_await big.handle.read(bytes, expected.size() + 5);
        EXPECT_EQ(beyond.size, 0U);
        EXPECT_FALSE(beyond.error);
        const transferred nothing = co_await big.handle.read({}, 0);
        EXPECT_EQ(nothing.size, 0U);
    }(make("big", all), all));
}

constexpr size_t part = 1000, parts = 400;

// The kernel gives such files a page at a time.
TEST_P(File, AReadGoesOnWhereTheKernelGivesAPart) {
    run([]() -> tamed<> {
        const opened parts = co_await open_file("/proc/self/smaps");
        std::string bytes(size_t{1} << 20, '\0');
        const ssize_t at_once = pread(parts.handle.descriptor(), bytes.data(), bytes.size(), 0);
        const transferred got = co_await parts.handle.read(bytes, 0);
        EXPECT_GT(got.size, 2 * static_cast<size_t>(at_once));
        EXPECT_FALSE(got.error);
    }());
}

TEST_P(File, HundredsAtOnceGetEachItsOwnPart) {
    const std::string all = text_of(part * parts);
    const std::string path = make("parts", all);
    auto reads = [](const file &from, size_t i, std::string &into) -> tamed<> {
        into.resize(part);
        const transferred got = co_await from.read(into, i * part);
        EXPECT_EQ(got.size, part);
    };
    run([](std::string name, const std::string &expected, auto &one) -> tamed<> {
        const opened from = co_await open_file(name);
        std::vector<std::string> got(parts);
        std::vector<tamed<>> reading;
        for (size_t i = 0; i < parts; ++i)
            reading.push_back(one(from.handle, i, got[i]));
        for (tamed<> &each : reading)
            co_await each;
        for (size_t i = 0; i < parts; ++i)
            EXPECT_EQ(got[i], expected.substr(i * part, part)) << i;
    }(path, all, reads));
}

TEST_P(File, APlainFunctionMayWaitForIt) {
    auto size_of = [](std::string path) -> tamed<size_t> {
        opened found = co_await open_file(path);
        std::array<char, 10> bytes{};
        const transferred got = co_await found.handle.read(bytes, 0);
        EXPECT_FALSE(co_await found.handle.close());
        co_return got.size;
    };
    EXPECT_EQ(thalweg::tame::wait(size_of(make("file", "abc"))), 3U);
}

// ---- errors ----

TEST_P(File, TellsWhyItCanNotBeOpened) {
    run([](File &test) -> tamed<> {
        const opened missing = co_await open_file(test.path("missing"));
        EXPECT_FALSE(missing);
        EXPECT_EQ(missing.error, std::errc::no_such_file_or_directory);
        const opened folder = co_await open_file(test.folder_, O_WRONLY);
        EXPECT_EQ(folder.error, std::errc::is_a_directory);
        const opened below = co_await open_file(test.path("missing/new"), O_CREAT | O_WRONLY);
        EXPECT_EQ(below.error, std::errc::no_such_file_or_directory);
        const file_status status = co_await status_of(test.path("missing"));
        EXPECT_EQ(status.error, std::errc::no_such_file_or_directory);
    }(*this));
}

TEST_P(File, TellsOfWhatCanNotBeReadWrittenOrClosed) {
    run([](File &test) -> tamed<> {
        std::array<char, 10> bytes{};
        const opened folder = co_await open_file(test.folder_, O_RDONLY);
        const transferred of_folder = co_await folder.handle.read(bytes, 0);
        EXPECT_EQ(of_folder.error, std::errc::is_a_directory);
        const opened only_read = co_await open_file(test.make("file", "x"));
        const transferred not_written = co_await only_read.handle.write("y", 0);
        EXPECT_EQ(not_written.error, std::errc::bad_file_descriptor);
        file none;
        EXPECT_EQ(co_await none.close(), std::errc::bad_file_descriptor);
        EXPECT_EQ(co_await none.sync(), std::errc::bad_file_descriptor);
        const transferred of_none = co_await none.read(bytes, 0);
        EXPECT_EQ(of_none.error, std::errc::bad_file_descriptor);
        const file_status status = co_await none.status();
        EXPECT_EQ(status.error, std::errc::bad_file_descriptor);
    }(*this));
}

TEST_P(File, TellsOfAFullDisk) {
    run([]() -> tamed<> {
        const opened full = co_await open_file("/dev/full", O_WRONLY);
        const transferred written = co_await full.handle.write("abc", 0);
        EXPECT_EQ(written.size, 0U);
        EXPECT_EQ(written.error, std::errc::no_space_on_device);
    }());
}

// The signal that comes with it would end the process; the threads of the workers don't take it.
TEST_P(File, TellsHowMuchWasWrittenWhereAFileMayNotGrow) {
    rlimit before{};
    getrlimit(RLIMIT_FSIZE, &before);
    const rlimit small{10'000, before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &small);
    run([](File &test) -> tamed<> {
        const std::string bytes = text_of(25'000);
        const opened grows = co_await open_file(test.path("grows"), O_CREAT | O_WRONLY, 0600);
        const transferred written = co_await grows.handle.write(bytes, 0);
        EXPECT_EQ(written.size, 10'000U);
        EXPECT_EQ(written.error, std::errc::file_too_large);
    }(*this));
    setrlimit(RLIMIT_FSIZE, &before);
}

TEST_P(File, SurvivesAProcessWithoutDescriptors) {
    const std::string path = make("file", "abc");
    auto opens = [](std::string name, std::error_code &error) -> tamed<> {
        opened found = co_await open_file(name);
        error = found.error;
    };
    std::error_code error;
    run(opens(path, error));
    EXPECT_FALSE(error);
    rlimit before{};
    getrlimit(RLIMIT_NOFILE, &before);
    const rlimit none{0, before.rlim_max};
    setrlimit(RLIMIT_NOFILE, &none);
    run(opens(path, error));
    setrlimit(RLIMIT_NOFILE, &before);
    EXPECT_EQ(error, std::errc::too_many_files_open);
    run(opens(path, error));
    EXPECT_FALSE(error);
}

TEST_P(File, GoesOnWhereSignalsComeInBetween) {
    struct sigaction interrupts{}, before{};
    interrupts.sa_handler = [](int) {};  // without SA_RESTART
    sigaction(SIGALRM, &interrupts, &before);
    const itimerval often{{0, 200}, {0, 200}}, never{};
    setitimer(ITIMER_REAL, &often, nullptr);
    run([](File &test) -> tamed<> {
        const std::string bytes = text_of(2'000'000);
        for (int i = 0; i < 20; ++i) {
            opened made = co_await open_file(test.path("often"), O_CREAT | O_TRUNC | O_RDWR, 0600);
            EXPECT_FALSE(made.error) << made.error.message();
            const transferred written = co_await made.handle.write(bytes, 0);
            EXPECT_FALSE(written.error) << written.error.message();
            std::string back(bytes.size(), '\0');
            const transferred got = co_await made.handle.read(back, 0);
            EXPECT_EQ(got.size, bytes.size()) << got.error.message();
            EXPECT_TRUE(back == bytes);
            EXPECT_FALSE(co_await made.handle.close());
        }
    }(*this));
    setitimer(ITIMER_REAL, &never, nullptr);
    sigaction(SIGALRM, &before, nullptr);
}

// ---- whose the descriptor and the bytes are ----

TEST_P(File, IsClosedOnce) {
    const std::string path = make("file", "abc");
    const size_t before = open_descriptors();
    auto opens = [](std::string name) -> tamed<> {
        opened dropped = co_await open_file(name);
        opened closed = co_await open_file(name);
        EXPECT_FALSE(co_await closed.handle.close());
        file moved = std::move(dropped.handle);
        EXPECT_TRUE(moved);
    };
    run(opens(path));  // the loop and what it waits with are there from here on
    const size_t after = open_descriptors();
    run(opens(path));
    EXPECT_EQ(open_descriptors(), after);
    EXPECT_LE(after, before + 2);
}

TEST_P(File, NothingIsLeftOpenWhereTheLoopGoesMeanwhile) {
    const std::string path = make("file", "abc");
    auto opens = [](std::string name, bool creates) -> tamed<> {
        opened found = co_await open_file(name, creates ? O_CREAT | O_RDWR : O_RDONLY);
        ADD_FAILURE() << "nobody is there to go on";
    };
    auto closes = [](file own) -> tamed<> {
        co_await own.close();
        ADD_FAILURE() << "nobody is there to go on";
    };
    loop_.reset();
    const size_t before = open_descriptors();
    for (int round = 0; round < 20; ++round) {
        loop_.emplace();
        for (int i = 0; i < 10; ++i) {
            opens(path, i % 2 == 0);
            closes(file(::open(path.c_str(), O_RDONLY | O_CLOEXEC)));
        }
        if (round % 2 == 1)
            std::this_thread::sleep_for(1ms);  // calls that have been made, and are on their way
        loop_.reset();
        EXPECT_EQ(open_descriptors(), before);
    }
}

// What the kernel still reads goes into a buffer that is the function's; it is another one's when the function is gone.
TEST_P(File, ABufferIsLeftAloneWhenItsFunctionIsGone) {
    constexpr size_t size = size_t{8} << 20;
    const std::string path = make("cold", text_of(size));
    const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    fsync(fd);
    auto *bytes = static_cast<char *>(mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    auto reads = [](const file &from, std::span<char> into, size_t offset) -> tamed<> {
        co_await from.read(into, offset);
        ADD_FAILURE() << "nobody is there to go on";
    };
    for (int round = 0; round < 5; ++round) {
        posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
        const file from(dup(fd));
        for (size_t at = 0; at < size; at += size / 8)
            reads(from, {bytes + at, size / 8}, at);
        loop_.reset();
        std::fill_n(bytes, size, '-');
        std::this_thread::sleep_for(10ms);
        EXPECT_EQ(std::count(bytes, bytes + size, '-'), static_cast<std::ptrdiff_t>(size));
        loop_.emplace();
    }
    munmap(bytes, size);
    ::close(fd);
}

class FileInRing : public File {};

// A pipe has no offsets: that under io_uring it is read is of no use but here, where nothing comes.
TEST_P(FileInRing, ARequestThatTheKernelHasIsTakenBack) {
    std::array<int, 2> ends{};
    ASSERT_EQ(pipe2(ends.data(), O_CLOEXEC), 0);
    const file from(ends[0]);
    std::array<char, 3> bytes{"--"};
    auto reads = [&]() -> tamed<> {
        co_await from.read(bytes, 0);
        ADD_FAILURE() << "nobody is there to go on";
    };
    reads();
    loop_->poll();
    loop_.reset();
    ASSERT_EQ(::write(ends[1], "ab", 2), 2);
    EXPECT_STREQ(bytes.data(), "--");
    std::array<char, 10> left{};
    EXPECT_EQ(::read(ends[0], left.data(), left.size()), 2) << "nobody has read it";
    ::close(ends[1]);
}

TEST_P(FileInRing, IsOpenedReadAndClosedWithoutThreads) {
    auto &workers = thalweg::tame::detail::Workers::all();
    const thread_limits before = set_thread_limits({.threads = 0, .idle = 0ns});
    while (workers.count() != 0)
        std::this_thread::sleep_for(1ms);
    run([](std::string path) -> tamed<> {
        opened found = co_await open_file(path);
        std::array<char, 3> bytes{};
        const transferred got = co_await found.handle.read(bytes, 0);
        EXPECT_EQ(got.size, 3U);
        EXPECT_FALSE(co_await found.handle.close());
    }(make("file", "abc")));
    set_thread_limits(before);
    run([](std::string path) -> tamed<> {
        const opened made = co_await open_file(path, O_CREAT | O_WRONLY, 0600);
        EXPECT_TRUE(made);
    }(path("new")));
    EXPECT_EQ(workers.count(), 1U) << "what waits inside the file system";
}

INSTANTIATE_TEST_SUITE_P(Kinds, File, testing::Values("io_uring", "epoll"),
                         [](const auto &kind) { return std::string(kind.param); });
INSTANTIATE_TEST_SUITE_P(Kinds, FileInRing, testing::Values("io_uring"),
                         [](const auto &kind) { return std::string(kind.param); });

}  // namespace
