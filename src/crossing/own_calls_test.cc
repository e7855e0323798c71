// crossing: what is answered about filters of system calls, here and in tests.
#include "crossing/own_calls.h"

#include <fstream>
#include <string>

#include <gtest/gtest.h>

namespace {

// Asked before any constructor. All other tests are about what the room does where it may make calls.
const bool answered = thalweg_crossing_may_call();
[[maybe_unused]] const bool is_allowed = (thalweg_crossing_set_may_call(true), true);

TEST(OwnCalls, are_allowed_where_the_kernel_tells_of_no_filter) {
    std::ifstream status("/proc/self/status");
    bool has_none = false;
    for (std::string line; std::getline(status, line);)
        has_none |= line.starts_with("Seccomp:") && line.ends_with("\t0");
    EXPECT_EQ(answered, has_none);
}

}  // namespace
