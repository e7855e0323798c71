// crossing: to which files writes are made as one, and what is told of one that didn't write all.
#include "abi/gathered_write.h"

#include <cerrno>
#include <cstdlib>
#include <string>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "crossing/own_calls.h"

namespace {

class Opened {
  public:
    Opened(const std::string &path, int flags) : descriptor_(open(path.c_str(), flags, 0600)) {}
    explicit Opened(int descriptor) : descriptor_(descriptor) {}
    ~Opened() { close(descriptor_); }
    Opened(const Opened &) = delete;
    Opened &operator=(const Opened &) = delete;
    int operator*() const { return descriptor_; }

  private:
    int descriptor_;
};

class GatheredWrite : public testing::Test {
  protected:
    GatheredWrite() { close(mkstemp(path_.data())); }
    ~GatheredWrite() override { unlink(path_.c_str()); }

    static bool may(int descriptor) {
        thalweg_crossing_file file{};
        return thalweg_crossing_may_gather(&file, descriptor, nullptr);
    }

    std::string path_ = testing::TempDir() + "gathered_write.XXXXXX";
};

TEST_F(GatheredWrite, is_for_ordinary_files_that_are_open_for_writing) {
    EXPECT_TRUE(may(*Opened(path_, O_RDWR)));
    EXPECT_TRUE(may(*Opened(path_, O_WRONLY | O_APPEND)));
    EXPECT_FALSE(may(*Opened(path_, O_RDONLY)));
    EXPECT_FALSE(may(*Opened(path_, O_PATH)));
    EXPECT_FALSE(may(-1));
}

TEST_F(GatheredWrite, is_not_for_files_whose_writes_are_on_the_disk_one_before_the_next) {
    EXPECT_FALSE(may(*Opened(path_, O_RDWR | O_SYNC)));
    EXPECT_FALSE(may(*Opened(path_, O_RDWR | O_DSYNC)));
}

TEST_F(GatheredWrite, is_not_for_what_takes_each_write_as_a_command_or_a_message) {
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    const Opened from(ends[0]);
    const Opened to(ends[1]);
    EXPECT_FALSE(may(*to));
    EXPECT_FALSE(may(*Opened("/dev/null", O_RDWR)));
    EXPECT_FALSE(may(*Opened("/proc/self/comm", O_RDWR)));
}

TEST_F(GatheredWrite, is_not_for_a_program_that_may_make_no_calls_of_its_own_whatever_is_known) {
    thalweg_crossing_descriptors known{};
    known.epoch = 1;
    const Opened file(path_, O_RDWR);
    thalweg_crossing_file kept{};
    EXPECT_TRUE(thalweg_crossing_may_gather(&kept, *file, &known));
    thalweg_crossing_set_may_call(false);
    const bool may_then = thalweg_crossing_may_gather(&kept, *file, &known);
    thalweg_crossing_set_may_call(true);
    EXPECT_FALSE(may_then);
}

TEST_F(GatheredWrite, is_left_alone_for_a_while_after_another_file) {
    thalweg_crossing_file file{};
    errno = EDOM;
    EXPECT_FALSE(thalweg_crossing_may_gather(&file, -1, nullptr));
    EXPECT_GT(file.left_alone, 0U);
    EXPECT_EQ(errno, EDOM);
}

TEST_F(GatheredWrite, writes_all_parts_at_the_offset_or_at_the_descriptors_own) {
    const Opened file(path_, O_RDWR);
    thalweg_crossing_written written{};
    std::string head = "head";
    std::string body = "body";
    const iovec parts[] = {{head.data(), head.size()}, {body.data(), body.size()}};
    EXPECT_TRUE(thalweg_crossing_gather(*file, parts, 2, 3, &written));
    EXPECT_TRUE(thalweg_crossing_gather(*file, parts, 2, -1, &written));
    char bytes[16] = {};
    EXPECT_EQ(pread(*file, bytes, sizeof bytes, 0), 11);
    EXPECT_STREQ(bytes, "headbodyody");
}

TEST_F(GatheredWrite, that_fails_is_made_again_by_the_calls_themselves) {
    const Opened file(path_, O_RDONLY);
    thalweg_crossing_written written{};
    std::string body = "body";
    const iovec part = {body.data(), body.size()};
    errno = EDOM;
    EXPECT_FALSE(thalweg_crossing_gather(*file, &part, 1, -1, &written));
    EXPECT_EQ(written.bytes, 0);
    EXPECT_EQ(errno, EDOM);
}

TEST_F(GatheredWrite, that_stopped_is_told_as_the_calls_results_up_to_there) {
    thalweg_crossing_written written{10, 0};
    EXPECT_EQ(thalweg_crossing_written_of(&written, 4), 4);
    EXPECT_EQ(thalweg_crossing_written_of(&written, 20), 6);
    EXPECT_EQ(written.bytes, 0);
}

TEST_F(GatheredWrite, whose_error_came_with_a_signal_is_the_first_calls) {
    thalweg_crossing_written written{-1, EFBIG};
    errno = 0;
    EXPECT_EQ(thalweg_crossing_written_of(&written, 4), -1);
    EXPECT_EQ(errno, EFBIG);
    EXPECT_EQ(written.bytes, 0);
}

}  // namespace
