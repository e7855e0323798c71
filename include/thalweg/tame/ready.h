// thalweg: tamed functions that may go on, first come, first served (paper tame-usenix07, section 3.1).
#pragma once

#include <coroutine>
#include <cstddef>
#include <utility>
#include <vector>

#include <thalweg/runtime.h>
#include <thalweg/variant.h>

namespace THALWEG_TAME::detail {

// One of each thread, without a destructor as the Pool. While a tamed function runs, those that it unblocks wait until it blocks or
// returns; outside of all of them, they go on at once.
class Ready {
  public:
    // A tamed function begins, inside of whatever calls it.
    void enter() {
        if (running_++ == 0)
            left_ = longest_turn;
    }
    // The one that runs blocks or has ended: what goes on in its place.
    std::coroutine_handle<> leave() {
        if (first_ && running_ == 1)
            return leave_to_others();
        --running_;
        return std::noop_coroutine();
    }
    // The same, and `next` may go on.
    std::coroutine_handle<> leave_to(std::coroutine_handle<> next) {
        if (first_ || running_ != 1 || left_ == 0)
            return leave_in_order(next);
        --left_;
        return next;
    }
    // The one that runs blocks, and `other`, which is no tamed function and takes no turn, goes on in its place: it may block without
    // telling. Those whose turn it is have it in the loop's next one, or when a function that begins in between leaves.
    std::coroutine_handle<> leave_for(std::coroutine_handle<> other) {
        if (--running_ == 0 && first_)
            go_on_later();
        return other;
    }
    // What is woken goes on at once.
    bool is_idle() const { return running_ == 0 && !first_; }
    void wake(std::coroutine_handle<> function) {
        if (!is_idle())
            return wake_later(function);
        enter();
        function.resume();
    }
    // Inside of what runs, as if that had called it (prompt.h).
    void wake_inside(std::coroutine_handle<> function) {
        if (running_ >= deepest)
            return wake(function);
        enter();
        function.resume();
    }
    // A plain function waits inside of those that run: the others go on meanwhile.
    size_t set_aside() {
        const size_t running = std::exchange(running_, 0);
        if (first_)
            go_on_later();
        return running;
    }
    void take_back(size_t running) { running_ = running; }
    // One inside the other; those on a fiber's stack come and go with it.
    size_t running() const { return running_; }
    size_t set_running(size_t running) { return std::exchange(running_, running); }

  private:
    // So many go on before the loop sees to its descriptors and timers again. Tame's loop takes turns in the same way (section 3.1);
    // of so many, a look at the descriptors costs less than a hundredth.
    static constexpr size_t longest_turn = 256;

    // Each takes 50 bytes of the stack, 600 without optimisation, 2,400 under AddressSanitizer (measured): a third of the 8 MB that a process
    // has.
    static constexpr size_t deepest = 1000;

    struct Others {
        std::vector<std::coroutine_handle<>> functions;
        size_t next = 0;  // those before it have gone on
        ~Others() { ready_here().others_ = nullptr; }
    };

    [[gnu::noinline]] void wake_later(std::coroutine_handle<> function) {
        if (!first_) {
            first_ = function;
        } else {
            add(function);
        }
        if (running_ == 0)
            go_on_later();
    }
    [[gnu::noinline]] std::coroutine_handle<> leave_in_order(std::coroutine_handle<> next) {
        wake_later(next);
        return leave();
    }
    [[gnu::noinline]] std::coroutine_handle<> leave_to_others() {
        if (left_ != 0) {
            --left_;
            return take();
        }
        running_ = 0;
        go_on_later();
        return std::noop_coroutine();
    }
    std::coroutine_handle<> take() {
        const std::coroutine_handle<> function = std::exchange(first_, nullptr);
        if (others_)
            take_other();
        return function;
    }
    void take_other() {
        first_ = others_->functions[others_->next++];
        if (others_->next != others_->functions.size())
            return;
        others_->functions.clear();
        others_->next = 0;
        others_ = nullptr;
    }
    [[gnu::noinline]] void add(std::coroutine_handle<> function) {
        thread_local Others others;
        // Where there are always some, those that have gone on must not pile up.
        if (others.next > longest_turn && 2 * others.next > others.functions.size()) {
            others.functions.erase(others.functions.begin(),
                                   others.functions.begin() + static_cast<std::ptrdiff_t>(others.next));
            others.next = 0;
        }
        others.functions.push_back(function);
        others_ = &others;
    }
    void go_on_later() {
        if (is_posted_)
            return;
        rest_.run = [](thalweg_task *) {
            Ready &here = ready_here();
            here.is_posted_ = false;
            if (!here.first_)
                return;  // a function that began in between took them along
            here.enter();
            here.take().resume();
        };
        // The loop is gone: whatever is unblocked next asks the thread's next one.
        rest_.drop = [](thalweg_task *) { ready_here().is_posted_ = false; };
        is_posted_ = true;
        thalweg_task_put(&rest_, 0);
    }
    static Ready &ready_here();

    std::coroutine_handle<> first_;  // null: none
    Others *others_ = nullptr;  // after it; null: none
    size_t running_ = 0;  // one inside the other
    size_t left_ = longest_turn;
    bool is_posted_ = false;
    thalweg_task rest_{};
};

inline constinit thread_local Ready ready;

inline Ready &Ready::ready_here() { return ready; }

}  // namespace THALWEG_TAME::detail
