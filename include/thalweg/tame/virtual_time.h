// thalweg: virtual time, for tests: hours of timers pass in no time, in the same order at each run.
//
//     thalweg::Loop loop;
//     const thalweg::tame::virtual_time time;
//     sleeps(1h);
//     loop.run_once();  // an hour has passed
#pragma once

#include <chrono>

#include <thalweg/runtime.h>
#include <thalweg/variant.h>

namespace THALWEG_TAME {

// While it lives, the clock of this thread's loop stands still; where the loop would wait for its next timer, the clock jumps there. What
// descriptors and other threads bring takes the system's time, and comes first where it is there already. For timer, pause_for,
// add_timeout, post_after, and patterns with a limit; watch_timer is a descriptor. The loop must live longer.
class virtual_time {
  public:
    virtual_time() : loop_(thalweg_loop_here()), is_own_(thalweg_virtual_time_begin(loop_) != 0) {}
    virtual_time(const virtual_time &) = delete;
    virtual_time &operator=(const virtual_time &) = delete;
    // Timers that are still to come keep the time that they have left.
    ~virtual_time() {
        if (is_own_)
            thalweg_virtual_time_end(loop_);
    }

    std::chrono::nanoseconds elapsed() const { return std::chrono::nanoseconds(thalweg_loop_now(loop_) - begin_); }

  private:
    thalweg_loop *loop_;
    bool is_own_;  // not within another one
    uint64_t begin_ = thalweg_loop_now(loop_);
};

// While it lives, a virtual clock does not jump: something is under way that no timer may overtake, as an answer from another process.
class virtual_time_hold {
  public:
    virtual_time_hold() : loop_(thalweg_loop_here()) { thalweg_virtual_time_hold(loop_); }
    virtual_time_hold(const virtual_time_hold &) = delete;
    virtual_time_hold &operator=(const virtual_time_hold &) = delete;
    ~virtual_time_hold() { thalweg_virtual_time_let_go(loop_); }

  private:
    thalweg_loop *loop_;
};

}  // namespace THALWEG_TAME
