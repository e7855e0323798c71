// thalweg: what a wait asks of the stack that it is called on: whether that may go aside, and let its thread go on (fiber.h).
#pragma once

#include <coroutine>
#include <source_location>
#include <type_traits>

#include <thalweg/tame/tamed.h>

namespace THALWEG_TAME::detail {

// A wait in a plain function on a fiber, on the fiber's stack. To all others the fiber is a tamed function, which awaits this.
class FiberWait : public Wait {
  public:
    // For a backtrace, in the words of trace.h.
    struct Noted {
        std::source_location place;
        const char *what;
        const Owner *events;
        const void *child;
    };

    bool await_ready() const noexcept { return false; }
    virtual std::coroutine_handle<> await_suspend(std::coroutine_handle<> fiber) = 0;
    void await_resume() const noexcept {}

    const Noted noted;

  protected:
    explicit FiberWait(Noted note) : noted(note) {}
    ~FiberWait() = default;
};

template <class Awaiter>
class FiberWaitFor final : public FiberWait {
  public:
    FiberWaitFor(Awaiter &awaiter, Noted note) : FiberWait(note), awaiter_(awaiter) {}
    std::coroutine_handle<> await_suspend(std::coroutine_handle<> fiber) override {
        return awaiter_.await_suspend(fiber);
    }

  private:
    Awaiter &awaiter_;
};

class OwnStack {
  public:
    // Returns when the wait is over; throws fiber_dropped where it will never be.
    virtual void wait(FiberWait &wanted) = 0;
    // Not while an event's raise or a turn of the loop is in the middle of something on it, which others would find there.
    virtual bool may_go_aside() const = 0;

  protected:
    ~OwnStack() = default;
};

// Of the fiber that runs; null: the thread's own stack.
inline constinit thread_local OwnStack *own_stack = nullptr;

}  // namespace THALWEG_TAME::detail
