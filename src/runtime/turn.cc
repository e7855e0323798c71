// runtime: a turn of the loop. Here the loop calls handlers, so here their exceptions pass through; nothing is left undone
// when one does.
#include <sys/epoll.h>
#include <unistd.h>

#include "loop_state.h"

using namespace thalweg::runtime;

namespace {

// Those that are ready now; not those that they post.
size_t run_ready(thalweg_loop *loop, bool stops) {
    const uint64_t last = loop->last_sequence;
    size_t done = 0;
    while (thalweg_task *task = take_ready(loop, last)) {
        ++done;
        thalweg_run_task(task);
        if (stops && __atomic_load_n(&loop->stop, __ATOMIC_RELAXED))
            break;
    }
    return done;
}

// Waits for descriptors, at most until the next timer, and raises their events.
size_t run_watches(thalweg_loop *loop, bool wait, bool stops) {
    epoll_event events[turn_max];
    const int count = wait_for_descriptors(loop, events, wait);
    size_t done = 0;
    for (int i = 0; i < count; ++i) {
        if (events[i].data.u64 == 0) {
            uint64_t sent = 0;
            [[maybe_unused]] const ssize_t bytes = read(loop->wake, &sent, sizeof(sent));
            continue;
        }
        ExternalRaise raise;
        if (!read_watch(loop, events[i].data.u64, events[i].events, &raise))
            continue;
        ++done;
        thalweg_raise_external(raise.core, raise.arguments, raise.count, raise.mode);
        if (stops && __atomic_load_n(&loop->stop, __ATOMIC_RELAXED))
            break;
    }
    return done;
}

// stops: stop() ends the turn after the handler that runs; it is for those who run(), not for those who count turns.
size_t run_turn(thalweg_loop *loop, bool wait, bool stops) {
    collect_ready(loop);
    const size_t external = run_watches(loop, wait && !loop->first, stops);
    collect_ready(loop);
    return external + run_ready(loop, stops);
}

}  // namespace

thalweg_status thalweg_loop_run_once(thalweg_loop *loop, int wait, size_t *done) {
    if (!loop)
        return THALWEG_NULL_POINTER;
    const size_t count = run_turn(loop, wait != 0, false);
    if (done)
        *done = count;
    return THALWEG_OK;
}

thalweg_status thalweg_loop_yield(thalweg_loop *loop) { return thalweg_loop_run_once(loop, 0, nullptr); }

thalweg_status thalweg_loop_run(thalweg_loop *loop) {
    if (!loop)
        return THALWEG_NULL_POINTER;
    while (!__atomic_exchange_n(&loop->stop, false, __ATOMIC_SEQ_CST))
        run_turn(loop, true, true);
    return THALWEG_OK;
}
