// thalweg: primitive events: what the system does (paper tame-usenix07, section 3.1), from the thread's loop.
#pragma once

#include <chrono>
#include <memory>

#include <thalweg/runtime.h>
#include <thalweg/tame/rendezvous.h>

namespace THALWEG_TAME {

namespace detail {

// A timer that holds an event. Cancelled with it.
struct Timer final : thalweg_task, source {
    event<> due;

    explicit Timer(event<> triggered) : due(std::move(triggered)) {
        run = [](thalweg_task *task) {
            const std::unique_ptr<Timer> timer(static_cast<Timer *>(task));
            timer->due.trigger();
        };
        drop = [](thalweg_task *task) {
            const std::unique_ptr<Timer> timer(static_cast<Timer *>(task));
            timer->due.forget_source();
        };
        due.set_source(*this);
    }
    void cancelled() noexcept override {
        thalweg_task_take_back(this);
        delete this;
    }

    static void *operator new(size_t size) { return pool.take(size); }
    static void operator delete(void *memory, size_t size) { pool.give(memory, size); }
};

inline uint64_t delay_of(std::chrono::nanoseconds time) {
    return time.count() > 0 ? static_cast<uint64_t>(time.count()) : 0;
}

}  // namespace detail

// 1.5 as a time: what a number of seconds is in a program that was written before std::chrono.
template <class Number>
constexpr std::chrono::nanoseconds in_seconds(Number count) {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::duration<Number>(count));
}

// Triggers the event when the time has passed; 0: in the loop's next turn.
inline void timer(std::chrono::nanoseconds time, event<> due) {
    if (due)
        thalweg_task_put(new detail::Timer(std::move(due)), detail::delay_of(time));
}

namespace detail {

class Pause : thalweg_task, public Wait {
  public:
    static constexpr const char *waits_for = "a time";

    explicit Pause(uint64_t delay_ns) : delay_ns_(delay_ns) {
        run = [](thalweg_task *task) { ready.wake(std::exchange(static_cast<Pause *>(task)->waiter_, nullptr)); };
        // The loop is gone: the function ends where it waits, and so do those that wait for it.
        drop = [](thalweg_task *task) { std::exchange(static_cast<Pause *>(task)->waiter_, nullptr).destroy(); };
    }
    Pause(const Pause &) = delete;
    Pause &operator=(const Pause &) = delete;
    ~Pause() {
        if (waiter_)
            thalweg_task_take_back(this);
    }

    bool await_ready() const noexcept { return false; }
    std::coroutine_handle<> await_suspend(std::coroutine_handle<> function) noexcept {
        waiter_ = function;
        thalweg_task_put(this, delay_ns_);
        return ready.leave();
    }
    void await_resume() const noexcept {}

  private:
    uint64_t delay_ns_;
    std::coroutine_handle<> waiter_;
};

}  // namespace detail

// Blocks the tamed function that awaits it, without an event: co_await pause_for(10ms).
class pause_for {
  public:
    explicit pause_for(std::chrono::nanoseconds time) : time_(time) {}
    detail::Pause operator co_await() const { return detail::Pause(detail::delay_of(time_)); }

  private:
    std::chrono::nanoseconds time_;
};

}  // namespace THALWEG_TAME
