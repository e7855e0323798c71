// fiber: a stack, and the way there and back.
#include <thalweg/tame/fiber.h>

#include <algorithm>
#include <boost/context/detail/fcontext.hpp>
#include <cxxabi.h>
#include <unistd.h>

#include <thalweg/runtime.h>

#include "sanitizers.h"
#include "stacks.h"

namespace THALWEG_TAME::detail {

namespace {

using boost::context::detail::jump_fcontext;
using boost::context::detail::make_fcontext;
using boost::context::detail::transfer_t;

// What a thread must have is the least that a fiber gets.
size_t rounded(size_t bytes) {
    const size_t wanted = std::max(bytes, static_cast<size_t>(sysconf(_SC_THREAD_STACK_MIN)));
    return (wanted + page_size() - 1) / page_size() * page_size();
}

}  // namespace

struct Fiber::Switch {
    // To the fiber, until it comes back.
    static void in(Fiber &fiber) {
        void *fake_stack = nullptr;
        if (__sanitizer_start_switch_fiber)
            __sanitizer_start_switch_fiber(&fake_stack, fiber.memory_ + page_size(), fiber.size_);
        if (__tsan_switch_to_fiber) {
            fiber.tsan_outside_ = __tsan_get_current_fiber();
            __tsan_switch_to_fiber(fiber.tsan_fiber_, 0);
        }
        fiber.at_ = jump_fcontext(fiber.at_, &fiber).fctx;
        if (__sanitizer_finish_switch_fiber)
            __sanitizer_finish_switch_fiber(fake_stack, nullptr, nullptr);
    }
    // And from it, until it is let go on; or for ever, where it has ended.
    static void out(Fiber &fiber) {
        if (__sanitizer_start_switch_fiber)
            __sanitizer_start_switch_fiber(fiber.has_ended_ ? nullptr : &fiber.fake_stack_, fiber.outside_bottom_,
                                           fiber.outside_size_);
        if (__tsan_switch_to_fiber)
            __tsan_switch_to_fiber(fiber.tsan_outside_, 0);
        came_from(fiber, jump_fcontext(fiber.at_, nullptr).fctx);
    }
    static void came_from(Fiber &fiber, void *outside) {
        if (__sanitizer_finish_switch_fiber)
            __sanitizer_finish_switch_fiber(fiber.fake_stack_, &fiber.outside_bottom_, &fiber.outside_size_);
        fiber.at_ = outside;
    }
    static void begin(transfer_t from) {
        auto &fiber = *static_cast<Fiber *>(from.data);
        came_from(fiber, from.fctx);
        fiber.function_(fiber.context_);
        fiber.has_ended_ = true;
        out(fiber);
    }
    static void swap_exceptions(Fiber &fiber) {
        std::swap(*reinterpret_cast<Exceptions *>(abi::__cxa_get_globals()), fiber.exceptions_);
    }
};

Fiber::Fiber(void (*function)(void *), void *context, fiber_stack stack)
    : function_(function), context_(context), size_(rounded(stack.bytes)), memory_(stacks.take(size_)) {
    at_ = make_fcontext(memory_ + page_size() + size_, size_, Switch::begin);
    if (__tsan_create_fiber)
        tsan_fiber_ = __tsan_create_fiber(0);
}

Fiber::~Fiber() {
    if (!has_ended_) {
        is_dropped_ = true;
        go_on();
    }
    if (__tsan_destroy_fiber)
        __tsan_destroy_fiber(tsan_fiber_);
    stacks.give(memory_, size_);
}

FiberWait *Fiber::go_on() {
    OwnStack *outside = own_stack;
    own_stack = this;
    const size_t running = ready.set_running(ready.running() + running_);
    Switch::swap_exceptions(*this);
    Switch::in(*this);
    Switch::swap_exceptions(*this);
    running_ = ready.set_running(running) - running;
    own_stack = outside;
    return has_ended_ ? nullptr : wanted_;
}

void Fiber::wait(FiberWait &wanted) {
    if (!is_dropped_) {
        wanted_ = &wanted;
        Switch::out(*this);
    }
    if (is_dropped_)
        throw fiber_dropped();
}

bool Fiber::may_go_aside() const { return thalweg_stack_is_used(memory_, memory_ + page_size() + size_) == 0; }

}  // namespace THALWEG_TAME::detail
