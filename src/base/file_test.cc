// base: whole files.
#include "base/file.h"

#include <filesystem>

#include <sys/stat.h>
#include <unistd.h>

#include <gtest/gtest.h>

namespace thalweg {
namespace {

class File : public testing::Test {
  protected:
    void SetUp() override {
        folder_ = std::filesystem::temp_directory_path() / fmt::format("thalweg_file_test_{}", getpid());
        std::filesystem::create_directories(folder_);
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }
    std::filesystem::path folder_;
};

TEST_F(File, reads_back_what_was_written) {
    std::string path = folder_ / "a";
    std::string bytes("a\0b\n\xff", 5);
    ASSERT_TRUE(write_file(path, bytes));
    Result<std::string> back = read_file(path);
    ASSERT_TRUE(back);
    EXPECT_EQ(*back, bytes);
}

TEST_F(File, leaves_nothing_else_behind) {
    ASSERT_TRUE(write_file(folder_ / "a", "first"));
    ASSERT_TRUE(write_file(folder_ / "a", "second"));
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_), {}), 1);
    EXPECT_EQ(*read_file(folder_ / "a"), "second");
}

TEST_F(File, names_the_file_that_is_not_there) {
    Result<std::string> back = read_file(folder_ / "none");
    ASSERT_FALSE(back);
    EXPECT_NE(back.error().message.find("none: No such file"), std::string::npos) << back.error().message;
}

TEST_F(File, a_full_disk_is_an_error) {
    Status status = write_file("/dev/full", "bytes");
    ASSERT_FALSE(status);
    EXPECT_NE(status.error().message.find("No space left"), std::string::npos) << status.error().message;
}

TEST_F(File, an_output_is_removed_and_a_device_or_a_pipe_stays) {
    const std::string file = folder_ / "made", pipe = folder_ / "pipe";
    ASSERT_TRUE(write_file(file, "bytes"));
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    remove_output(file);
    remove_output(pipe);
    remove_output(folder_);
    EXPECT_FALSE(std::filesystem::exists(file));
    EXPECT_TRUE(std::filesystem::exists(pipe));
    EXPECT_TRUE(std::filesystem::exists(folder_));
}

TEST_F(File, a_folder_that_is_not_there_is_an_error) { EXPECT_FALSE(write_file(folder_ / "no" / "a", "bytes")); }

} // namespace
} // namespace thalweg
