// crossing: when a descriptor may be made with its flags, and how they are taken back.
#include "abi/made_descriptor.h"

#include <cerrno>
#include <thread>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include "crossing/own_calls.h"

namespace {

class MadeDescriptor : public testing::Test {
  protected:
    ~MadeDescriptor() override { close(descriptor_); }

    static bool may(thalweg_crossing_maker &maker) { return thalweg_crossing_may_flag(&maker, 0); }
    int status() const { return fcntl(descriptor_, F_GETFL); }

    thalweg_crossing_maker maker_{};
    int descriptor_ = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
};

TEST_F(MadeDescriptor, has_flags_only_after_one_was_made_without) {
    EXPECT_FALSE(may(maker_));
    thalweg_crossing_look(&maker_, -1, -1);
    EXPECT_FALSE(may(maker_));
    errno = 7;
    thalweg_crossing_look(&maker_, descriptor_, O_RDWR | O_NONBLOCK);
    EXPECT_EQ(errno, 7);
    EXPECT_TRUE(may(maker_));
}

TEST_F(MadeDescriptor, never_has_flags_where_another_status_is_told_than_was_thought) {
    thalweg_crossing_look(&maker_, descriptor_, O_RDWR);
    EXPECT_FALSE(may(maker_));
    thalweg_crossing_look(&maker_, descriptor_, O_RDWR | O_NONBLOCK);
    EXPECT_FALSE(may(maker_));
}

TEST_F(MadeDescriptor, never_has_flags_where_the_program_may_make_no_calls_of_its_own) {
    thalweg_crossing_set_may_call(false);
    thalweg_crossing_look(&maker_, descriptor_, -1);
    thalweg_crossing_set_may_call(true);
    EXPECT_FALSE(may(maker_));
}

TEST_F(MadeDescriptor, has_no_flags_that_may_be_taken_back_where_there_are_threads) {
    const auto with_thread = [&] {
        thalweg_crossing_look(&maker_, descriptor_, -1);
        const bool alone = thalweg_crossing_may_flag(&maker_, 1);
        bool among_others = true;
        std::thread([&] { among_others = thalweg_crossing_may_flag(&maker_, 1); }).join();
        _exit(alone && !among_others && may(maker_) ? 0 : 1);
    };
    EXPECT_EXIT(with_thread(), testing::ExitedWithCode(0), "");
}

TEST_F(MadeDescriptor, has_no_flags_any_more_where_the_kernel_lacks_the_call) {
    thalweg_crossing_look(&maker_, descriptor_, -1);
    for (const int error : {EAGAIN, EMFILE, EINTR, EPERM}) {
        errno = error;
        EXPECT_FALSE(thalweg_crossing_lacks_flags(&maker_));
    }
    errno = EINVAL;
    EXPECT_TRUE(thalweg_crossing_lacks_flags(&maker_));
    EXPECT_TRUE(may(maker_));
    errno = ENOSYS;
    EXPECT_TRUE(thalweg_crossing_lacks_flags(&maker_));
    EXPECT_FALSE(may(maker_));
}

TEST_F(MadeDescriptor, loses_what_is_taken_back_and_nothing_else) {
    thalweg_crossing_look(&maker_, descriptor_, -1);
    errno = 7;
    thalweg_crossing_take_back(&maker_, descriptor_, thalweg_crossing_closes_on_exec);
    EXPECT_EQ(fcntl(descriptor_, F_GETFD), 0);
    EXPECT_EQ(status(), O_RDWR | O_NONBLOCK);
    thalweg_crossing_take_back(&maker_, descriptor_, thalweg_crossing_does_not_wait);
    EXPECT_EQ(status(), O_RDWR);
    EXPECT_EQ(errno, 7);
}

TEST_F(MadeDescriptor, is_made_without_flags_for_a_while_after_they_were_taken_back) {
    thalweg_crossing_look(&maker_, descriptor_, -1);
    thalweg_crossing_take_back(&maker_, descriptor_, thalweg_crossing_does_not_wait);
    int without = 0;
    while (without < 1000 && !may(maker_))
        ++without;
    EXPECT_EQ(without, 32);
    EXPECT_TRUE(may(maker_));
}

}  // namespace
