// benchmarks: the limit: coroutines by hand for exactly these waits, and a bare epoll.
#include <coroutine>
#include <cstdint>
#include <exception>
#include <functional>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>
#include <utility>
#include <vector>

#include "driver.h"

namespace {

struct Task {
    struct promise_type {
        uint64_t value = 0;
        std::coroutine_handle<> waiter;

        Task get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
        std::suspend_never initial_suspend() noexcept { return {}; }
        struct AtEnd {
            bool await_ready() const noexcept { return false; }
            std::coroutine_handle<> await_suspend(std::coroutine_handle<promise_type> task) noexcept {
                return task.promise().waiter ? task.promise().waiter : std::noop_coroutine();
            }
            void await_resume() const noexcept {}
        };
        AtEnd final_suspend() noexcept { return {}; }
        void return_value(uint64_t result) { value = result; }
        void unhandled_exception() { std::terminate(); }
    };

    std::coroutine_handle<promise_type> task;

    bool await_ready() const { return task.done(); }
    void await_suspend(std::coroutine_handle<> waiter) { task.promise().waiter = waiter; }
    uint64_t await_resume() {
        const uint64_t value = task.promise().value;
        task.destroy();
        return value;
    }
};

[[gnu::noinline]] Task at_once(uint64_t number) { co_return number + 1; }

Task call_each(uint64_t count) {
    uint64_t sum = 0;
    for (uint64_t i = 0; i < count; ++i)
        sum += co_await at_once(i);
    co_return sum;
}

uint64_t finish(Task task) { return task.await_resume(); }

uint64_t null(uint64_t count) { return finish(call_each(count)); }

// Triggered from outside, or before.
struct Signal {
    uint64_t value = 0;
    bool occurred = false;
    std::coroutine_handle<> waiter;

    bool await_ready() const { return occurred; }
    void await_suspend(std::coroutine_handle<> task) { waiter = task; }
    uint64_t await_resume() const { return value; }
    void trigger(uint64_t number) {
        value = number;
        occurred = true;
        if (waiter)
            waiter.resume();
    }
};

// As far as the compiler knows, others have its address.
void from_outside(Signal &signal) { asm volatile("" : : "r"(&signal) : "memory"); }

Task wait_each(uint64_t count) {
    uint64_t sum = 0;
    for (uint64_t i = 0; i < count; ++i) {
        Signal signal;
        from_outside(signal);
        signal.trigger(i);
        from_outside(signal);
        sum += co_await signal;
    }
    co_return sum;
}

uint64_t ready(uint64_t count) { return finish(wait_each(count)); }

struct Turn {
    std::vector<std::coroutine_handle<>> &due;
    bool await_ready() const { return false; }
    void await_suspend(std::coroutine_handle<> task) { due.push_back(task); }
    void await_resume() const {}
};

Task pause_each(uint64_t count, std::vector<std::coroutine_handle<>> &due) {
    uint64_t sum = 0;
    for (uint64_t i = 0; i < count; ++i) {
        co_await Turn{due};
        sum += i;
    }
    co_return sum;
}

uint64_t timer0(uint64_t count) {
    const int epoll = epoll_create1(EPOLL_CLOEXEC);
    std::vector<std::coroutine_handle<>> due, running;
    const Task task = pause_each(count, due);
    epoll_event events[64];
    while (!task.await_ready()) {
        epoll_wait(epoll, events, 64, 0);
        std::swap(due, running);
        for (const std::coroutine_handle<> one : running)
            one.resume();
        running.clear();
    }
    close(epoll);
    return finish(task);
}

[[gnu::noinline]] Task child(Signal *&outside) {
    Signal signal;
    outside = &signal;
    co_return co_await signal;
}

Task join_each(uint64_t count, Signal *&outside) {
    uint64_t sum = 0;
    for (uint64_t i = 0; i < count; ++i)
        sum += co_await child(outside);
    co_return sum;
}

uint64_t fork_join(uint64_t count) {
    Signal *outside = nullptr;
    const Task task = join_each(count, outside);
    for (uint64_t i = 0; i < count; ++i)
        outside->trigger(i);
    return finish(task);
}

// All limits are the same, so that the next one to pass is the first of a list.
struct Deadlines {
    Deadlines *next = this, *previous = this;
    uint64_t due_ns = 0;
};

struct Limited : Signal, Deadlines {
    Limited(Deadlines &all, uint64_t limit_ns) {
        timespec now{};
        clock_gettime(CLOCK_MONOTONIC, &now);
        due_ns = static_cast<uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(now.tv_nsec) + limit_ns;
        next = &all;
        previous = all.previous;
        next->previous = previous->next = this;
    }
    ~Limited() {
        next->previous = previous;
        previous->next = next;
    }
};

Task limit_each(uint64_t count, Signal *&answer) {
    Deadlines all;
    uint64_t sum = 0;
    for (uint64_t i = 0; i < count; ++i) {
        Limited limited(all, 10'000'000'000);
        answer = &limited;
        sum += co_await static_cast<Signal &>(limited);
    }
    co_return sum;
}

uint64_t timeout(uint64_t count) {
    Signal *answer = nullptr;
    const Task task = limit_each(count, answer);
    for (uint64_t i = 0; i < count; ++i)
        answer->trigger(i);
    return finish(task);
}

std::vector<std::coroutine_handle<>> never;

struct Forever {
    bool await_ready() const { return false; }
    void await_suspend(std::coroutine_handle<> task) { never.push_back(task); }
    void await_resume() const {}
};

Task blocks() {
    co_await Forever{};
    co_return 0;
}

void block(uint64_t count) {
    never.reserve(count);
    for (uint64_t i = 0; i < count; ++i)
        blocks();
}

// ---- the paper's Figures 8 and 9: what calls, closures and the system cost without any waiting ----

[[gnu::noinline]] uint64_t simple(uint64_t number) {
    asm volatile("" : "+r"(number));
    return number;
}

uint64_t function(uint64_t count) {
    uint64_t sum = 0;
    for (uint64_t i = 0; i < count; ++i)
        sum += simple(i);
    return sum;
}

uint64_t allocation(uint64_t count) {
    uint64_t sum = 0;
    for (uint64_t i = 0; i < count; ++i) {
        auto *number = new uint64_t(simple(i));
        asm volatile("" : "+r"(number) : : "memory");
        sum += *number;
        delete number;
    }
    return sum;
}

// A function with three of its arguments, more than std::function keeps in itself.
uint64_t closure(uint64_t count) {
    uint64_t sum = 0;
    for (uint64_t i = 0; i < count; ++i) {
        std::function<void()> later = [&sum, i, zero = uint64_t(0)] { sum += i + zero; };
        asm volatile("" : : "r"(&later) : "memory");
        later();
    }
    return sum;
}

// In the kernel, which the C library's function does not enter any more.
uint64_t system_call(uint64_t count) {
    uint64_t sum = 0;
    timeval now{};
    for (uint64_t i = 0; i < count; ++i)
        sum += i + static_cast<uint64_t>(syscall(SYS_gettimeofday, &now, nullptr));
    return sum;
}

uint64_t poll(uint64_t count) {
    const int epoll = epoll_create1(EPOLL_CLOEXEC);
    uint64_t sum = 0;
    epoll_event events[64];
    for (uint64_t i = 0; i < count; ++i)
        sum += i + static_cast<uint64_t>(epoll_wait(epoll, events, 64, 0));
    close(epoll);
    return sum;
}

constexpr waits::Case cases[] = {{"null", null},
                                 {"ready", ready},
                                 {"timer0", timer0},
                                 {"timer0-callback", timer0},
                                 {"timer0-gather", timer0},
                                 {"timer0-rendezvous", timer0},
                                 {"fork-join", fork_join},
                                 {"timeout", timeout},
                                 {"function", function},
                                 {"allocation", allocation},
                                 {"closure", closure},
                                 {"system-call", system_call},
                                 {"poll", poll}};

}  // namespace

int main(int argc, char **argv) { return waits::drive(argc, argv, cases, block); }
