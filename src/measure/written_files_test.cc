// measure: tests of what real programs write to files, and in how many calls.
#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include <gtest/gtest.h>

#include "measure/workload.h"

namespace thalweg::measure {
namespace {

class Written : public testing::Test {
  protected:
    void SetUp() override {
        char name[] = "/tmp/thalweg-written-XXXXXX";
        folder_ = mkdtemp(name);
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }

    // To the file "log" of the folder that a script of Python runs in.
    model::WrittenFile log_of(const std::string &script) {
        const auto workload =
            run_workload({{"/usr/bin/python3", "-S", "-c", "import os\nos.chdir('" + folder_ + "')\n" + script}, true});
        EXPECT_TRUE(workload) << workload.error().message;
        EXPECT_EQ(workload->exit_code, 0u);
        const auto found = std::ranges::find(workload->written, folder_ + "/log", &model::WrittenFile::file);
        return found == workload->written.end() ? model::WrittenFile{} : *found;
    }

    std::string folder_;
    std::string open_ = "f = os.open('log', os.O_WRONLY | os.O_CREAT | os.O_APPEND)\n";
};

TEST_F(Written, counts_writes_one_after_another_and_their_bytes) {
    const model::WrittenFile log =
        log_of(open_ + "for i in range(50): os.write(f, b'12345')\nos.writev(f, [b'1', b'23'])");
    EXPECT_EQ(log.calls, 51u);
    EXPECT_EQ(log.bytes, 253u);
    EXPECT_EQ(log.synced, 0u);
}

TEST_F(Written, a_number_that_is_given_out_again_is_another_file) {
    const model::WrittenFile log =
        log_of(open_ + "os.write(f, b'12')\nos.close(f)\n"
                       "g = os.open('other', os.O_WRONLY | os.O_CREAT)\nassert f == g\nos.write(g, b'345')");
    EXPECT_EQ(log.calls, 1u);
    EXPECT_EQ(log.bytes, 2u);
}

TEST_F(Written, adds_up_what_processes_write) {
    EXPECT_EQ(log_of(open_ + "child = os.fork()\nos.write(f, b'12')\nif child:\n    os.waitpid(child, 0)\n").calls, 2u);
}

TEST_F(Written, tells_what_is_brought_to_the_disk) {
    EXPECT_EQ(log_of(open_ + "os.write(f, b'12')\nos.fsync(f)\nos.fdatasync(f)").synced, 2u);
}

TEST_F(Written, leaves_out_what_fails_what_has_its_place_and_what_is_no_file) {
    const model::WrittenFile log = log_of(open_ + "os.pwrite(f, b'12', 0)\n"
                                                  "r = os.open('log', os.O_RDONLY)\n"
                                                  "try: os.write(r, b'1')\nexcept OSError: pass\n"
                                                  "a, b = os.pipe()\nos.write(b, b'123')");
    EXPECT_EQ(log.calls, 0u);
}

}  // namespace
}  // namespace thalweg::measure
