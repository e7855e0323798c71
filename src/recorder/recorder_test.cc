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

#include "recorder/probe_abi.h"
#include "recorder/process.h"

// What the probe pass binds in a twin.
extern "C" {
uint8_t thalweg_probe_function_new[] = {1, 1, 1};
}

namespace thalweg::recorder {
namespace {

namespace fs = std::filesystem;

// Which of the functions are still new, as digits.
std::string still_new() {
    std::string digits;
    for (const uint8_t one : thalweg_probe_function_new)
        digits += static_cast<char>('0' + one);
    return digits;
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

[[noreturn]] void end_with(bool good) {
    std::fputs(still_new().c_str(), stderr);
    std::_Exit(good ? 0 : 1);
}

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

TEST_F(Twin, a_thread_without_a_chunk_asks_once_for_each_function) {
    EXPECT_EXIT(in_a_crowd(
                    chunks_at_most, [] { thalweg_probe_function(0); },
                    [] {
                        const int first = thalweg_probe_function(1);
                        end_with(first == 0 && thalweg_probe_function(2) == 0);
                    }),
                testing::ExitedWithCode(0), "^100$");
    EXPECT_EQ(threads_without_chunk(folder_), 1u);
}

TEST_F(Twin, a_thread_with_a_chunk_goes_on_asking) {
    EXPECT_EXIT(in_a_crowd(
                    chunks_at_most - 1, [] { thalweg_probe_function(0); },
                    [] {
                        const int first = thalweg_probe_function(1);
                        end_with(first == 0 && thalweg_probe_function(1) == 1);
                    }),
                testing::ExitedWithCode(0), "^111$");
    EXPECT_EQ(threads_without_chunk(folder_), 0u);
}

TEST(Unrecorded, a_process_without_a_folder_asks_once) {
    ASSERT_EQ(std::getenv(raw::directory_variable), nullptr);
    EXPECT_EXIT(end_with(thalweg_probe_function(0) == 0), testing::ExitedWithCode(0), "^011$");
}

}  // namespace
}  // namespace thalweg::recorder
