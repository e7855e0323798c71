// recorder: what the probes do in a process of their own, with as many threads as there are chunks, and one more.
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>

#include "abi/probe.h"
#include "recorder/counters.h"
#include "recorder/process.h"
#include "recorder/reserve.h"

// What the probe pass binds in a twin.
extern "C" {
const uint64_t thalweg_probe_entry_count = 3;
thalweg_probe_slot thalweg_probe_first_entries[3] = {};
}

namespace thalweg::recorder {
namespace {

namespace fs = std::filesystem;

// What the probe at a function's entry does, so often; how often it asked, and was told to note.
struct Asked {
    uint32_t asked = 0;
    uint32_t noted = 0;
};
Asked enter_often(uint32_t function, uint32_t times) {
    Asked result;
    for (uint32_t i = 0; i < times; ++i)
        if (--thalweg_probe_entries[function].left < 0) {
            ++result.asked;
            result.noted += thalweg_probe_function(function, function) != 0 ? 1 : 0;
        }
    return result;
}

// Runs `before` in so many threads at a time, and while they are all there, `meanwhile` in this one.
template <class Before, class Meanwhile>
void in_a_crowd(unsigned size, Before before, Meanwhile meanwhile) {
    pthread_barrier_t come;
    pthread_barrier_t go;
    pthread_barrier_init(&come, nullptr, size + 1);
    pthread_barrier_init(&go, nullptr, size + 1);
    std::vector<std::thread> threads;
    for (unsigned i = 0; i < size; ++i)
        threads.emplace_back([&] {
            before();
            pthread_barrier_wait(&come);
            pthread_barrier_wait(&go);
        });
    pthread_barrier_wait(&come);
    meanwhile();
    pthread_barrier_wait(&go);
    for (std::thread &thread : threads)
        thread.join();
}

[[noreturn]] void end_with(bool good) { std::_Exit(good ? 0 : 1); }

uint64_t threads_without_chunk(const fs::path &folder) {
    for (const auto &entry : fs::directory_iterator(folder)) {
        raw::Header header{};
        std::ifstream(entry.path(), std::ios::binary).read(reinterpret_cast<char *>(&header), sizeof header);
        if (header.kind == raw::process_file)
            return header.threads_without_chunk;
    }
    return UINT64_MAX;
}

// The recorder starts before main: it is told of its folder in the environment, and the test's process is started anew.
class Twin : public testing::Test {
  protected:
    void SetUp() override {
        GTEST_FLAG_SET(death_test_style, "threadsafe");
        if (std::getenv(raw::directory_variable) != nullptr)
            return;  // this is the process that was started anew
        std::string name = (fs::temp_directory_path() / "thalweg-recorder-XXXXXX").string();
        ASSERT_NE(::mkdtemp(name.data()), nullptr);
        folder_ = name;
        ::setenv(raw::directory_variable, name.c_str(), 1);
    }
    void TearDown() override {
        ::unsetenv(raw::directory_variable);
        fs::remove_all(folder_);
    }
    fs::path folder_;
};

constexpr uint32_t often = 100;

TEST_F(Twin, a_thread_without_a_chunk_asks_once_for_each_function) {
    EXPECT_EXIT(in_a_crowd(
                    chunks_at_most, [] { enter_often(0, 1); },
                    [] {
                        const Asked first = enter_often(1, often), second = enter_often(2, often);
                        end_with(first.asked == 1 && second.asked == 1 && first.noted + second.noted == 0);
                    }),
                testing::ExitedWithCode(0), "");
    EXPECT_EQ(threads_without_chunk(folder_), 1u);
}

TEST_F(Twin, a_thread_with_a_chunk_goes_on_asking) {
    EXPECT_EXIT(in_a_crowd(
                    chunks_at_most - 1, [] { enter_often(0, 1); },
                    [] {
                        const Asked asked = enter_often(1, often);
                        end_with(asked.asked == often && asked.noted == often - 1);
                    }),
                testing::ExitedWithCode(0), "");
    EXPECT_EQ(threads_without_chunk(folder_), 0u);
}

// Bytes of it that are used, its first page too; 0: there is none.
uint64_t used_of_reserve(const fs::path &folder) {
    for (const auto &entry : fs::directory_iterator(folder)) {
        raw::Reserve reserve{};
        std::ifstream(entry.path(), std::ios::binary).read(reinterpret_cast<char *>(&reserve), sizeof reserve);
        if (reserve.header.kind == raw::reserve_file)
            return reserve.used;
    }
    return 0;
}

void open_no_more_files() {
    const rlimit none{};
    if (setrlimit(RLIMIT_NOFILE, &none) != 0)
        end_with(false);
}

TEST_F(Twin, a_thread_that_may_open_no_file_notes_in_the_reserve) {
    EXPECT_EXIT(
        {
            open_no_more_files();
            end_with(enter_often(1, often).noted > 0);
        },
        testing::ExitedWithCode(0), "");
    EXPECT_GT(used_of_reserve(folder_), raw::reserve_page);
}

TEST_F(Twin, a_thread_that_may_takes_nothing_of_the_reserve) {
    EXPECT_EXIT(end_with(enter_often(1, often).noted > 0), testing::ExitedWithCode(0), "");
    EXPECT_EQ(used_of_reserve(folder_), raw::reserve_page);
}

TEST(Reserve, is_for_who_may_not_open_a_file_and_not_for_a_full_disk) {
    for (const int problem : {EACCES, EPERM, EMFILE, ENOENT})
        EXPECT_TRUE(may_take(problem)) << problem;
    for (const int problem : {ENOSPC, EDQUOT, EFBIG, EIO, 0})
        EXPECT_FALSE(may_take(problem)) << problem;
}

TEST(Reserve, is_none_where_the_programs_addresses_are_limited) {
    const std::string path = (fs::temp_directory_path() / ("thalweg-limited-" + std::to_string(getpid()))).string();
    rlimit before{};
    getrlimit(RLIMIT_AS, &before);
    const rlimit limited{rlim_t{1} << 40, before.rlim_max};
    setrlimit(RLIMIT_AS, &limited);
    EXPECT_EQ(make_reserve(path.c_str()), nullptr);
    setrlimit(RLIMIT_AS, &before);
    EXPECT_FALSE(fs::exists(path));
}

TEST(Reserve, gives_zeroed_parts_until_nothing_is_left) {
    const std::string path = (fs::temp_directory_path() / ("thalweg-reserve-" + std::to_string(getpid()))).string();
    raw::Reserve *reserve = make_reserve(path.c_str());
    ASSERT_NE(reserve, nullptr);
    auto *part = static_cast<char *>(take_part(reserve, 5000));
    ASSERT_NE(part, nullptr);
    EXPECT_TRUE(is_part(reserve, part));
    EXPECT_FALSE(is_part(reserve, &path));
    EXPECT_EQ(part[4999], 0);
    part[4999] = 7;
    drop_part(part, 5000);
    EXPECT_EQ(part[4999], 0);
    EXPECT_EQ(take_part(reserve, raw::reserve_size - 4 * raw::reserve_page), nullptr);
    EXPECT_EQ(errno, ENOSPC);
    const auto *next = static_cast<const char *>(take_part(reserve, 1));
    EXPECT_EQ(next, part + 3 * raw::reserve_page);
    fs::remove(path);
}

raw::Call after_calls_of(const std::vector<uint64_t> &addresses) {
    raw::Call call{};
    for (const uint64_t address : addresses)
        count_target(call, address, SymbolMap());
    return call;
}

uint64_t times(const raw::Call &call, uint64_t address) {
    for (const auto &target : call.targets)
        if (target.address == address)
            return target.count;
    return 0;
}

TEST(CallTargets, are_counted_each_while_there_is_a_place) {
    const raw::Call call = after_calls_of({10, 20, 10, 30, 40, 50, 60, 70, 80, 80});
    EXPECT_EQ(times(call, 10), 2u);
    EXPECT_EQ(times(call, 80), 2u);
    EXPECT_EQ(call.others, 0u);
}

TEST(CallTargets, that_come_late_and_often_win_a_place_and_every_call_is_counted_somewhere) {
    std::vector<uint64_t> addresses;
    for (uint64_t early = 1; early <= THALWEG_PROBE_CALL_TARGETS; ++early)
        addresses.insert(addresses.end(), 10, early);
    addresses.insert(addresses.end(), 1000, 99);
    const raw::Call call = after_calls_of(addresses);
    EXPECT_GT(times(call, 99), 900u);
    uint64_t all = call.others;
    for (const auto &target : call.targets)
        all += target.count;
    EXPECT_EQ(all, addresses.size());
}

TEST(Unrecorded, a_process_without_a_folder_asks_once) {
    ASSERT_EQ(std::getenv(raw::directory_variable), nullptr);
    EXPECT_EXIT(end_with(enter_often(0, often).asked == 1), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace thalweg::recorder
