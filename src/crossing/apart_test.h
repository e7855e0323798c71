// crossing: a test that makes threads runs in a process of its own: once it had some, the C library calls none single-threaded any more.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <gtest/gtest.h>

// Whether nothing fails in it.
template <class Test>
bool passes_apart(Test test) {
    const pid_t child = fork();
    if (child == 0) {
        test();
        _exit(testing::Test::HasFailure() ? 1 : 0);
    }
    int status = 0;
    return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}
