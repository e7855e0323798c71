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
        if (task->core)
            thalweg_run_raise(task);
        else
            task->run(task);
        if (stops && __atomic_load_n(&loop->stop, __ATOMIC_RELAXED))
            break;
    }
    return done;
}

// All of them, whoever stops the loop meanwhile, and before any handler that may throw: epoll does not tell them again.
size_t run_descriptors(thalweg_loop *loop, Batch *batch) {
    batch->outer = loop->batch;
    loop->batch = batch;
    size_t done = 0;
    while (batch->next != batch->count) {
        const epoll_event &event = batch->events[batch->next++];
        if (!is_descriptor(event.data.u64))
            continue;
        auto *descriptor = reinterpret_cast<thalweg_descriptor *>(event.data.u64);
        descriptor->happened(descriptor, event.events);
        ++done;
    }
    loop->batch = batch->outer;
    return done;
}

[[gnu::noinline]] size_t run_events(thalweg_loop *loop, epoll_event *events, int count, bool stops) {
    Batch batch{events, 0, count, nullptr};
    size_t done = run_descriptors(loop, &batch);
    for (int i = 0; i < count; ++i) {
        if (events[i].data.u64 == wake_mark) {
            uint64_t sent = 0;
            [[maybe_unused]] const ssize_t bytes = read(loop->wake, &sent, sizeof(sent));
            continue;
        }
        ExternalRaise raise;
        if (!is_watch(events[i].data.u64) || !read_watch(loop, events[i].data.u64, events[i].events, &raise))
            continue;
        ++done;
        thalweg_raise_external(raise.core, raise.arguments, raise.count, raise.mode);
        if (stops && __atomic_load_n(&loop->stop, __ATOMIC_RELAXED))
            break;
    }
    return done;
}

// Waits for descriptors, at most until the next timer, and raises their events.
[[gnu::always_inline]] inline size_t run_watches(thalweg_loop *loop, bool wait, bool stops) {
    thalweg_io_turn turn{0, 1};
    if (loop->poller)
        turn = loop->poller->wait(loop->poller, wait ? time_left(loop) : 0);
    epoll_event events[turn_max];
    int count = 0;
    if (turn.epoll_is_ready)
        count =
            wait && !loop->poller ? wait_for_descriptors(loop, events) : epoll_wait(loop->epoll, events, turn_max, 0);
    if (count > 0)
        return turn.done + run_events(loop, events, count, stops);
    if (wait && turn.done == 0 && count == 0)
        let_virtual_time_pass(loop);
    return turn.done;
}

// stops: stop() ends the turn after the handler that runs; it is for those who run(), not for those who count turns.
// In line: a return to whoever called before the system call is predicted wrongly after it, which costs 6 ns.
[[gnu::always_inline]] inline size_t run_turn(thalweg_loop *loop, bool wait, bool stops) {
    collect_ready(loop);
    const size_t external = run_watches(loop, wait && !loop->first, stops);
    collect_ready(loop);
    return external + run_ready(loop, stops);
}

}  // namespace

thalweg_status thalweg_loop_run_once(thalweg_loop *loop, int wait, size_t *done) {
    if (!loop)
        return THALWEG_NULL_POINTER;
    check_thread(loop, "was run");
    const size_t count = run_turn(loop, wait != 0, false);
    if (done)
        *done = count;
    return THALWEG_OK;
}

thalweg_status thalweg_loop_yield(thalweg_loop *loop) { return thalweg_loop_run_once(loop, 0, nullptr); }

thalweg_status thalweg_loop_run(thalweg_loop *loop) {
    if (!loop)
        return THALWEG_NULL_POINTER;
    check_thread(loop, "was run");
    // Looked at before it is taken: an exchange locks, each turn.
    while (!__atomic_load_n(&loop->stop, __ATOMIC_RELAXED) ||
           !__atomic_exchange_n(&loop->stop, false, __ATOMIC_SEQ_CST))
        run_turn(loop, true, true);
    return THALWEG_OK;
}
