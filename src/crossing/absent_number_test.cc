// crossing: what a loop over numbers of descriptors learns at once, when it asks, and when it forgets.
#include "abi/absent_number.h"

#include <algorithm>
#include <cerrno>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/single_threaded.h>
#include <sys/socket.h>
#include <unistd.h>

#include "crossing/apart_test.h"

namespace {

constexpr int first = 100;  // above what the test itself has open
constexpr int last = 1000;

class AbsentNumber : public testing::Test {
  protected:
    void SetUp() override {
        ASSERT_TRUE(__libc_single_threaded) << "a test before this one had threads: passes_apart";
        ASSERT_EQ(access("/proc/self/fd", R_OK), 0) << "these tests need /proc";
        rlimit limit{};
        getrlimit(RLIMIT_NOFILE, &limit);
        ASSERT_GT(limit.rlim_max, rlim_t{last}) << "so many files may not be open here";
        limit.rlim_cur = std::max(limit.rlim_cur, rlim_t{last} + 1);
        ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &limit), 0);
        close_range(first, last, 0);  // what the tests were started with
    }
    void TearDown() override {
        for (const int number : opened_)
            close(number);
    }

    void open_at(int number) {
        ASSERT_EQ(dup2(STDIN_FILENO, number), number);
        opened_.push_back(number);
    }

    // As the plug-in has it: gives how many calls were made.
    static int call(thalweg_crossing_numbers &numbers, int number) {
        if (thalweg_crossing_is_absent(&numbers, number)) {
            EXPECT_EQ(errno, EBADF);
            EXPECT_EQ(fcntl(number, F_GETFD), -1) << number << " is a descriptor";
            return 0;
        }
        thalweg_crossing_was_made(&numbers, number, fcntl(number, F_GETFD));
        return 1;
    }
    static int up_in(thalweg_crossing_numbers &numbers, int from, int to) {
        int made = 0;
        for (int number = from; number < to; ++number)
            made += call(numbers, number);
        return made;
    }
    int call(int number) { return call(numbers_, number); }
    int up(int from, int to) { return up_in(numbers_, from, to); }

    thalweg_crossing_numbers numbers_{};
    std::vector<int> opened_;
};

TEST_F(AbsentNumber, is_not_asked_for_by_a_short_loop) {
    EXPECT_EQ(up(first, first + 39), 39);
    EXPECT_EQ(numbers_.until, 0);
}

TEST_F(AbsentNumber, is_known_up_to_the_next_descriptor_once_calls_were_in_vain) {
    open_at(500);
    EXPECT_EQ(up(first, 500), 40);
    EXPECT_EQ(numbers_.until, 500);
}

TEST_F(AbsentNumber, is_known_in_a_loop_that_goes_down) {
    open_at(500);
    int made = 0;
    for (int number = last; number > 500; --number)
        made += call(number);
    EXPECT_EQ(made, 40);
    EXPECT_EQ(numbers_.from, 501);
}

TEST_F(AbsentNumber, is_forgotten_when_a_call_is_made_and_asked_for_anew) {
    open_at(500);
    up(first, 501);
    EXPECT_EQ(numbers_.until, 0);
    open_at(700);
    EXPECT_EQ(up(501, 701), 2);
}

TEST_F(AbsentNumber, is_asked_for_less_and_less_where_it_does_not_pay) {
    for (int number = first; number < last; number += 50)
        open_at(number);
    EXPECT_GT(up(first, last), 3 * (last - first) / 4);
    EXPECT_GE(numbers_.in_vain, 2U);
}

TEST_F(AbsentNumber, is_nothing_that_a_successful_call_tells) {
    for (int number = first; number < first + 60; ++number)
        open_at(number);
    EXPECT_EQ(up(first, first + 60), 60);
    EXPECT_EQ(numbers_.misses, 0U);
}

TEST_F(AbsentNumber, is_no_negative_one) {
    EXPECT_EQ(up(-100, 0), 100);
    EXPECT_EQ(numbers_.until, 0);
}

TEST_F(AbsentNumber, is_not_known_where_no_descriptor_is_left_to_ask_with) {
    rlimit before{};
    getrlimit(RLIMIT_NOFILE, &before);
    const rlimit none = {0, before.rlim_max};
    thalweg_crossing_numbers &numbers = numbers_;  // a sanitizer that looks at this object would want descriptors
    setrlimit(RLIMIT_NOFILE, &none);
    const int made = up_in(numbers, first, last);
    setrlimit(RLIMIT_NOFILE, &before);
    EXPECT_EQ(made, last - first);
}

// Who has the other ends, in the order in which they are told of the end.
std::vector<uint32_t> told_of_the_end(void (*close_all)(int from, int count)) {
    constexpr int count = 4;
    const int watch = epoll_create1(EPOLL_CLOEXEC);
    int peers[count];
    for (uint32_t i = 0; i < count; ++i) {
        int ends[2];
        EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
        peers[i] = ends[1];
        dup2(ends[0], first + static_cast<int>(i));
        close(ends[0]);
        epoll_event event{.events = EPOLLIN, .data = {.u32 = i}};
        epoll_ctl(watch, EPOLL_CTL_ADD, peers[i], &event);
    }
    close_all(first, count);
    epoll_event events[count];
    const int ended = epoll_wait(watch, events, count, 0);
    std::vector<uint32_t> order;
    for (int i = 0; i < ended; ++i)
        order.push_back(events[i].data.u32);
    for (const int peer : peers)
        close(peer);
    close(watch);
    return order;
}

// Why the loop's descriptors are closed one by one.
TEST_F(AbsentNumber, would_be_no_reason_to_close_all_at_once) {
    const std::vector<uint32_t> one_by_one = told_of_the_end([](int from, int count) {
        for (int number = from; number < from + count; ++number)
            close(number);
    });
    EXPECT_EQ(one_by_one, (std::vector<uint32_t>{0, 1, 2, 3}));
    const std::vector<uint32_t> at_once = told_of_the_end([](int from, int count) {
        close_range(static_cast<unsigned>(from), static_cast<unsigned>(from + count - 1), 0);
    });
    // Linux 6.18 lets go last first; a kernel may do it in order, but none promises to.
    EXPECT_THAT(at_once, testing::AnyOf(std::vector<uint32_t>{3, 2, 1, 0}, one_by_one));
}

TEST_F(AbsentNumber, is_not_asked_for_with_threads) {
    EXPECT_TRUE(passes_apart([&] {
        std::thread waiting([] { pause(); });
        waiting.detach();
        EXPECT_EQ(up(first, last), last - first);
    }));
}

}  // namespace
