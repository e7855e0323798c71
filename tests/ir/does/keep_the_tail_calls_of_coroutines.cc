// tests: a coroutine that is unfolded in place of a call that must be a tail call keeps its own as such; one that is unfolded at an
// ordinary call, after which the caller goes on, has ordinary ones.
// RUN: %optimize %s | %check %s
// PLAN: 1 specialize ping.resume : load ping.resume/0 = @pong.resume
// PLAN: 2 specialize let_go_on : load let_go_on/0 = @pong.resume
#include <coroutine>
#include <exception>

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

struct HandOn {
    std::coroutine_handle<> to;
    bool await_ready() noexcept { return false; }
    std::coroutine_handle<> await_suspend(std::coroutine_handle<>) noexcept { return to; }
    void await_resume() noexcept {}
};

std::coroutine_handle<> next() noexcept;
void count() noexcept;

#pragma clang diagnostic ignored "-Wreturn-type-c-linkage"
extern "C" {

// CHECK-LABEL: define {{.*}}void @let_go_on(
// CHECK-NOT: musttail
// CHECK: {{^}}}
// CHECK-LABEL: define internal fastcc void @ping.resume(
// CHECK: icmp eq ptr {{.*}}, @pong.resume
// CHECK: {{^}}holds:
// CHECK-NOT: {{^}}fails:
// CHECK: call void @_Z5countv(
// CHECK-NOT: {{^}}}
// CHECK: musttail call fastcc void
// CHECK-NEXT: ret void
// CHECK: decision 1 applied: 1 calls unfolded, 1 of them through pointers
// CHECK: decision 2 applied: 1 calls unfolded, 1 of them through pointers
Task ping() {
    for (;;)
        co_await HandOn{next()};
}

Task pong() {
    for (;;) {
        count();
        co_await HandOn{next()};
    }
}

void let_go_on(std::coroutine_handle<> one) {
    one.resume();
    count();
}
}
