// thalweg: tamed functions that may go on, first come, first served (paper tame-usenix07, section 3.1).
#pragma once

#include <coroutine>
#include <cstddef>
#include <utility>
#include <vector>

#include <thalweg/runtime.h>

namespace thalweg::tame::detail {

// One of each thread. While a tamed function runs, those that it unblocks wait until it blocks or returns; outside of all of them,
// they go on at once.
class Ready {
  public:
    constexpr Ready() = default;
    Ready(const Ready &) = delete;
    Ready &operator=(const Ready &) = delete;
    ~Ready() = default;

    // A tamed function begins, inside of whatever calls it.
    void enter() {
        if (running_++ == 0)
            left_ = longest_turn;
    }
    // The one that runs blocks or has ended: what goes on in its place.
    std::coroutine_handle<> leave() {
        if (running_ > 1 || is_empty() || left_ == 0) {
            if (--running_ == 0 && !is_empty())
                go_on_later();
            return std::noop_coroutine();
        }
        --left_;
        return take();
    }
    void wake(std::coroutine_handle<> function) {
        queue_.push_back(function);
        if (running_ == 0 && !is_posted_)
            run();
    }

  private:
    // So many go on before the loop sees to its descriptors and timers again. Tame's loop takes turns in the same way (section 3.1);
    // of so many, a look at the descriptors costs less than a hundredth.
    static constexpr size_t longest_turn = 256;

    bool is_empty() const { return next_ == queue_.size(); }
    std::coroutine_handle<> take() {
        const std::coroutine_handle<> function = queue_[next_++];
        if (is_empty()) {
            queue_.clear();
            next_ = 0;
        }
        return function;
    }
    void run() {
        enter();
        take().resume();
    }
    void go_on_later() {
        is_posted_ = true;
        rest_.run = [](thalweg_task *) { ready_here().run_rest(); };
        rest_.drop = [](thalweg_task *) {};
        thalweg_task_post(&rest_, 0, THALWEG_RAISE_ASYNC);
    }
    void run_rest() {
        is_posted_ = false;
        // What came while nothing runs may stand before the taken ones' end.
        queue_.erase(queue_.begin(), queue_.begin() + static_cast<std::ptrdiff_t>(std::exchange(next_, 0)));
        if (!is_empty())
            run();
    }
    static Ready &ready_here();

    std::vector<std::coroutine_handle<>> queue_;
    size_t next_ = 0;
    size_t running_ = 0;  // one inside the other
    size_t left_ = longest_turn;
    bool is_posted_ = false;
    thalweg_task rest_{};
};

inline constinit thread_local Ready ready;

inline Ready &Ready::ready_here() { return ready; }

}  // namespace thalweg::tame::detail
