// measure: tests of repeated calls of real programs: the same files again, other files, files that change.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "measure/workload.h"

namespace thalweg::measure {
namespace {

using Hits = std::array<uint64_t, 3>;

class Repeated : public testing::Test {
  protected:
    void SetUp() override {
        char name[] = "/tmp/thalweg-repeated-XXXXXX";
        folder_ = mkdtemp(name);
        for (int i = 0; i < 200; ++i)
            std::ofstream(folder_ + "/" + std::to_string(i)) << "file " << i;
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }

    // A script of Python in the folder; only what it does to files of `folder_` counts, not its own start.
    std::vector<model::RepeatedCalls> calls_of(const std::string &script) {
        const auto workload =
            run_workload({{"/usr/bin/python3", "-S", "-c", "import os\nos.chdir('" + folder_ + "')\n" + script}, true});
        EXPECT_TRUE(workload) << workload.error().message;
        EXPECT_EQ(workload->exit_code, 0u);
        return workload ? workload->repeated : std::vector<model::RepeatedCalls>();
    }
    // How many more than by a start alone.
    model::RepeatedCalls more(const std::string &script, const std::string &call) {
        const auto named = [&](const std::vector<model::RepeatedCalls> &calls) {
            const auto found = std::ranges::find(calls, call, &model::RepeatedCalls::name);
            return found == calls.end() ? model::RepeatedCalls{} : *found;
        };
        const model::RepeatedCalls start = named(calls_of("pass"));
        model::RepeatedCalls all = named(calls_of(script));
        all.calls -= start.calls;
        all.arguments -= start.arguments;
        all.changed -= start.changed;
        for (size_t i = 0; i < all.hits.size(); ++i)
            all.hits[i] -= start.hits[i];
        return all;
    }

    std::string folder_;
};

TEST_F(Repeated, status_of_the_same_file_is_asked_once_and_known_after_that) {
    const model::RepeatedCalls calls = more("for i in range(300): os.stat('1')", "newfstatat");
    EXPECT_EQ(calls.calls, 300u);
    EXPECT_EQ(calls.arguments, 1u);
    EXPECT_EQ(calls.hits, (Hits{299, 299, 299}));
    EXPECT_EQ(calls.changed, 0u);
    EXPECT_EQ(calls.commonest.count, 300u);
    EXPECT_TRUE(calls.commonest.arguments.starts_with(folder_ + "/1")) << calls.commonest.arguments;
}

TEST_F(Repeated, status_of_many_files_in_turn_wants_as_many_entries) {
    EXPECT_EQ(more("for i in range(300): os.stat(str(i % 10))", "newfstatat").hits, (Hits{0, 290, 290}));
    EXPECT_EQ(more("for i in range(300): os.stat(str(i % 50))", "newfstatat").hits, (Hits{0, 0, 250}));
}

TEST_F(Repeated, status_of_other_files_each_time_is_never_known) {
    const model::RepeatedCalls calls = more("for i in range(200): os.stat(str(i))", "newfstatat");
    EXPECT_EQ(calls.arguments, 200u);
    EXPECT_EQ(calls.hits, (Hits{0, 0, 0}));
}

TEST_F(Repeated, that_no_such_file_is_there_is_known_too) {
    EXPECT_EQ(more("for i in range(100): os.access('none', os.R_OK)", "access").hits, (Hits{99, 99, 99}));
}

TEST_F(Repeated, a_file_that_changes_is_told) {
    const model::RepeatedCalls calls = more("for i in range(100):\n"
                                            "    if i % 10 == 9: open('1', 'a').write('more')\n"
                                            "    os.stat('1')\n",
                                            "newfstatat");
    EXPECT_GE(calls.changed, 10u);  // Python's open asks too
    EXPECT_EQ(calls.changing.arguments.substr(0, folder_.size() + 2), folder_ + "/1");
}

// A file's first reading after a change moves its time of access, where the file system keeps one.
TEST_F(Repeated, that_a_file_was_read_is_no_change) {
    const std::string script = "os.stat('1')\nos.read(os.open('1', os.O_RDONLY), 100)\nos.stat('1')\n";
    const model::RepeatedCalls calls = more(script, "newfstatat");
    EXPECT_EQ(calls.hits, (Hits{1, 1, 1}));
    EXPECT_EQ(calls.changed, 0u);
}

TEST_F(Repeated, reads_of_the_same_bytes_are_told_by_file_and_offset) {
    const model::RepeatedCalls calls =
        more("for i in range(60):\n"
             "    f = os.open('1', os.O_RDONLY); os.read(f, 3); os.read(f, 3); os.close(f)\n",
             "read");
    EXPECT_EQ(calls.calls, 120u);
    EXPECT_EQ(calls.arguments, 2u);
    EXPECT_EQ(calls.hits, (Hits{0, 118, 118}));
    const model::RepeatedCalls opened = more("for i in range(60): os.close(os.open('1', os.O_RDONLY))\n", "openat");
    EXPECT_EQ(opened.hits, (Hits{59, 59, 59}));
    EXPECT_EQ(opened.changed, 0u);
}

TEST_F(Repeated, files_that_are_written_are_not_opened_again_for_nothing) {
    EXPECT_EQ(more("for i in range(60): os.close(os.open('1', os.O_RDWR))\n", "openat").calls, 0u);
}

TEST_F(Repeated, reads_of_a_pipe_are_none) {
    EXPECT_EQ(more("r, w = os.pipe()\nfor i in range(60):\n    os.write(w, b'same'); os.read(r, 4)\n", "read").calls,
              0u);
}

TEST_F(Repeated, a_descriptor_that_was_closed_in_between_is_another_one) {
    EXPECT_EQ(more("f = os.open('1', os.O_RDONLY)\nfor i in range(60): os.fstat(f)\n", "newfstatat").hits[0] +
                  more("f = os.open('1', os.O_RDONLY)\nfor i in range(60): os.fstat(f)\n", "fstat").hits[0],
              59u);
    const std::string reopening = "for i in range(60):\n    f = os.open('1', os.O_RDONLY); os.fstat(f); os.close(f)\n";
    EXPECT_EQ(more(reopening, "newfstatat").hits[2] + more(reopening, "fstat").hits[2], 0u);
}

TEST_F(Repeated, each_process_has_a_cache_of_its_own) {
    const std::string script = "for i in range(5):\n"
                               "    if os.fork() == 0:\n"
                               "        for k in range(20): os.access('1', os.R_OK)\n"
                               "        os._exit(0)\n"
                               "    os.wait()\n";
    const model::RepeatedCalls calls = more(script, "access");
    EXPECT_EQ(calls.calls, 100u);
    EXPECT_EQ(calls.arguments, 5u);
    EXPECT_EQ(calls.hits, (Hits{95, 95, 95}));
}

}  // namespace
}  // namespace thalweg::measure
