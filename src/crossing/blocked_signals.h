// crossing: a time in which no signal's handler runs on this thread.
#pragma once

#include <errno.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

// From when it is made until it is let go. Handlers of what came meanwhile run then, and may do anything: change descriptors, or never return.
// errno is by then what it was, for a handler to find and to change. By the kernel's own call: the C library's leaves out two signals, of which
// one may be blocked already.
class BlockedSignals {
  public:
    BlockedSignals() : errno_(errno) {
        const uint64_t all = ~uint64_t{0};
        are_blocked_ = syscall(SYS_rt_sigprocmask, block, &all, &before_, sizeof before_) == 0;
    }
    ~BlockedSignals() { let_go(); }
    BlockedSignals(const BlockedSignals &) = delete;
    BlockedSignals &operator=(const BlockedSignals &) = delete;

    bool are_blocked() const { return are_blocked_; }

    // Whether a handler waits. Also where that can't be told.
    bool is_one_waiting() const {
        uint64_t pending = 0;
        return syscall(SYS_rt_sigpending, &pending, sizeof pending) != 0 || (pending & ~before_) != 0;
    }

    void let_go() {
        errno = errno_;
        if (are_blocked_)
            syscall(SYS_rt_sigprocmask, set, &before_, nullptr, sizeof before_);
        are_blocked_ = false;
    }

  private:
    // The kernel's numbers of SIG_BLOCK and SIG_SETMASK.
    static constexpr long block = 0;
    static constexpr long set = 2;

    int errno_;
    uint64_t before_ = 0;
    bool are_blocked_ = false;
};
