// runtime: virtual time, for tests: a loop's clock that stands still (watches.cc lets it jump).
#include "loop_state.h"

using namespace thalweg::runtime;

int thalweg_virtual_time_begin(thalweg_loop *loop) noexcept {
    if (loop->virtual_ns)
        return 0;
    loop->virtual_ns = now_ns();
    return 1;
}

void thalweg_virtual_time_end(thalweg_loop *loop) noexcept {
    const uint64_t shown = loop->virtual_ns, now = now_ns();
    loop->virtual_ns = 0;
    // All by the same time, so that the heap stays one.
    for (uint32_t i = 0; i < loop->timer_count; ++i) {
        uint64_t &due = loop->timers[i]->due_ns;
        const uint64_t left = due > shown ? due - shown : 0;
        due = left < UINT64_MAX - now ? now + left : UINT64_MAX;
    }
}

uint64_t thalweg_loop_now(const thalweg_loop *loop) noexcept { return clock_of(loop); }

void thalweg_virtual_time_hold(thalweg_loop *loop) noexcept { ++loop->holds; }

void thalweg_virtual_time_let_go(thalweg_loop *loop) noexcept { --loop->holds; }
