// thalweg: fibers: plain functions with a stack of their own, so that where they wait they block nobody else (paper tame-usenix07,
// section 4; library thalweg_fiber).
//
//     int rows = co_await on_fiber([&] { return count_rows(file); });  // wherever count_rows, or what it calls, does wait(...)
//     on_fiber([&] { serve(peer); });                                  // lets it go its own way
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include <thalweg/tame/own_stack.h>
#include <thalweg/tame/threads.h>

namespace THALWEG_TAME {

// Of a fiber. Below it lies a page that is nobody's: a function that needs more ends the program by SIGSEGV.
struct fiber_stack {
    // musl gives its threads as much (WG14's C library functions fit: getaddrinfo wants most), and Boost.Context its fibers. It is address
    // space: memory is what has been touched.
    size_t bytes = size_t{128} * 1024;
};

namespace detail {

class Fiber final : OwnStack {
  public:
    // The function is called with the context, lets no exception through, and begins with go_on(). Throws std::bad_alloc.
    Fiber(void (*function)(void *), void *context, fiber_stack stack);
    Fiber(const Fiber &) = delete;
    Fiber &operator=(const Fiber &) = delete;
    // A function that has not returned ends where it waits.
    ~Fiber();

    // Until it waits for what this gives, or, null, has returned.
    FiberWait *go_on();

  private:
    // What the C++ library keeps of a thread's exceptions (the Itanium ABI's __cxa_eh_globals): those that are caught, and how many are under
    // way. Each stack has its own.
    struct Exceptions {
        void *caught = nullptr;
        unsigned under_way = 0;
    };
    struct Switch;  // and what sanitizers are told of it
    friend Switch;

    void wait(FiberWait &wanted) override;
    bool may_go_aside() const override;

    void (*function_)(void *);
    void *context_;
    size_t size_;
    char *memory_;  // from the page that is nobody's, before these
    void *at_ = nullptr;  // where the fiber goes on; while it runs, who let it
    FiberWait *wanted_ = nullptr;
    size_t running_ = 0;  // tamed functions on its stack, called by plain ones and calling some
    Exceptions exceptions_;
    bool is_dropped_ = false, has_ended_ = false;
    // The sanitizers' names for its stack and for that of who let it go on.
    void *fake_stack_ = nullptr, *tsan_fiber_ = nullptr, *tsan_outside_ = nullptr;
    const void *outside_bottom_ = nullptr;
    size_t outside_size_ = 0;
};

}  // namespace detail

// Calls the plain function on a stack of its own, in this thread: a tamed function, which returns what that returns, and throws what it
// throws. Where it waits (wait.h), the fiber alone is blocked. A fiber whose wait will never be over ends as a tamed function does: there
// wait throws fiber_dropped, and so does each wait after it; destructors must not wait then. Throws std::bad_alloc where no stack can be had.
template <class Function>
tamed<detail::ResultOf<Function>> on_fiber(Function function, fiber_stack stack = {}) {
    using Result = detail::ResultOf<Function>;
    struct Body {
        Function &function;
        detail::Outcome<Result> outcome{};
    };
    Body body{function};
    detail::Fiber fiber(
        [](void *context) {
            auto &own = *static_cast<Body *>(context);
            own.outcome.make(own.function);
        },
        &body, stack);
    while (detail::FiberWait *wanted = fiber.go_on())
        co_await *wanted;
    if constexpr (std::is_void_v<Result>)
        body.outcome.take();
    else
        co_return body.outcome.take();
}

}  // namespace THALWEG_TAME
