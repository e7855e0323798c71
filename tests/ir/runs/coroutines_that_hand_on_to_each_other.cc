// tests: coroutines unfolded into each other, and into what lets them go on, hand on a million times and need no stack for that; where
// another one waits than was recorded, that one goes on.
// RUN: %run %s | %check %s
// PLAN: 1 specialize let_go_on : load let_go_on/0 = @ping.resume ; load ping.resume/3 = @pong.resume
// PLAN: 2 specialize ping.resume : load ping.resume/3 = @pong.resume
// CHECK: decision 1 applied: 2 calls unfolded, 2 of them through pointers
// CHECK: decision 2 applied: 1 calls unfolded, 1 of them through pointers
// CHECK: ; the same
#include <coroutine>
#include <cstdio>
#include <exception>
#include <initializer_list>

namespace {

struct Task {
    struct promise_type {
        Task get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
        std::suspend_always initial_suspend() noexcept { return {}; }
        std::suspend_always final_suspend() noexcept { return {}; }
        void return_void() noexcept {}
        void unhandled_exception() noexcept { std::terminate(); }
    };
    std::coroutine_handle<> handle;
};

// Blocks who awaits it, and the other goes on in its place.
struct HandOn {
    std::coroutine_handle<> &to;
    bool await_ready() noexcept { return false; }
    std::coroutine_handle<> await_suspend(std::coroutine_handle<>) noexcept { return to; }
    void await_resume() noexcept {}
};

std::coroutine_handle<> pinging, ponging;
unsigned long sum, left;

}  // namespace

#pragma clang diagnostic ignored "-Wreturn-type-c-linkage"
extern "C" {

Task ping() {
    while (left > 0) {
        sum = 3 * sum + --left;
        co_await HandOn{ponging};
    }
    std::printf("ping ends: %lu\n", sum);
}

Task pong() {
    for (;;) {
        sum ^= left;
        co_await HandOn{pinging};
    }
}

Task other() {
    for (int round = 0;; ++round) {
        std::printf("other %d\n", round);
        co_await std::suspend_always();
    }
}

[[gnu::noinline]] void let_go_on(std::coroutine_handle<> one) { one.resume(); }
}

int main() {
    for (unsigned long transfers : {1ul, 7ul, 1000000ul}) {
        left = transfers;
        pinging = ping().handle;
        ponging = pong().handle;
        let_go_on(pinging);
        std::printf("%lu left\n", left);
        pinging.destroy();
        ponging.destroy();
    }
    const Task last = other();
    for (int i = 0; i < 3; ++i)
        let_go_on(last.handle);
    last.handle.destroy();
}
