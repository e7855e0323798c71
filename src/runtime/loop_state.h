// runtime: what a loop is made of. One thread's, but for the inbox and `stop`.
#pragma once

#include <pthread.h>

#include "internal.h"

struct epoll_event;

namespace thalweg::runtime {

// Ids of tasks and watches: an index that is used again, with a generation that tells an old id from a new one.
struct Handle {
    void *what;
    uint32_t generation;
    uint32_t next_free;
};
struct HandleTable {
    Handle *entries;
    uint32_t count;
    uint32_t first_free;  // count: none
};
uint64_t new_handle(thalweg_loop *loop, void *what);
void *resolve_handle(const thalweg_loop *loop, uint64_t id);  // null: none, or no longer
void free_handle(thalweg_loop *loop, uint64_t id);

struct Watch {
    Watch *next, *previous;
    uint64_t id;
    uint64_t event_id;
    int fd;
    int signal;       // 0: not a signal
    bool owns_fd;     // made by us: a timer's or a signal's
    bool was_blocked; // the signal, before us
    thalweg_raise_mode mode;
};

// The thread's innermost loop; null: none yet. The TLS model is initial-exec, so that an access needs no call of __tls_get_addr; it takes eight bytes
// of the loader's static TLS reserve if the library is opened by dlopen.
[[gnu::tls_model("initial-exec")]] extern constinit thread_local thalweg_loop *loop_of_thread;

void drop_task(thalweg_task *task);

// Descriptors in one turn; more are seen in the next. Where all are busy, a look at them is a hundredth of what they need.
constexpr int turn_max = 256;
// How long the loop may wait, in nanoseconds; negative: without end.
int64_t time_left(const thalweg_loop *loop);
// Nothing happened while the loop waited.
void let_virtual_time_pass(thalweg_loop *loop);
int wait_for_descriptors(thalweg_loop *loop, epoll_event *events);

// What epoll has told in a turn, and whom has still to be told. One inside another, where a handler lets others run.
struct Batch {
    epoll_event *events;
    int next, count;
    Batch *outer;
};
// The values in epoll_data: the wake descriptor, a descriptor removed since, an address, or a watch's id. Addresses and ids can't be confused: the
// upper 16 bits of a user-space address on x86-64 and arm64 are 0, and those of an id hold the loop's number, which is not 0.
constexpr uint64_t wake_mark = 0, removed_mark = 1, most_of_address = (uint64_t{1} << 48) - 1;
constexpr bool is_descriptor(uint64_t mark) { return mark > removed_mark && mark <= most_of_address; }
constexpr bool is_watch(uint64_t mark) { return mark > most_of_address; }

struct ExternalRaise {
    thalweg_core *core;
    thalweg_value arguments[2];
    size_t count;
    thalweg_raise_mode mode;
};
// What has happened to a watch; false: nothing, or it is no longer there.
bool read_watch(thalweg_loop *loop, uint64_t id, uint32_t events, ExternalRaise *raise);
void drop_watches(thalweg_loop *loop);

uint64_t now_ns();
uint64_t clock_of_thread();  // of the thread's loop, where it has one

extern "C" {
// In C, so that they can clean up after a handler that throws without the C++ library.
void thalweg_run_raise(thalweg_task *task);
void thalweg_raise_external(thalweg_core *core, const thalweg_value *arguments, size_t count, thalweg_raise_mode mode);
void thalweg_run_posted_values(thalweg_task *task);
}

}  // namespace thalweg::runtime

struct thalweg_loop {
    thalweg_loop *outer;  // the thread's loop before this one
    uint64_t number;  // part of every id, so that one loop's are not another's
    thalweg_task *first, *last;
    thalweg_task **timers;  // a binary heap by (due, sequence)
    uint32_t timer_count, timer_room;
    uint64_t last_sequence;
    thalweg::runtime::HandleTable handles;
    thalweg::runtime::Watch *watches;
    thalweg_poller *poller;  // null: epoll
    thalweg_loop_part *parts;  // the newest first
    thalweg::runtime::Batch *batch;  // the innermost; null: no descriptor is told
    int epoll;
    int wake;  // an eventfd: the inbox is no longer empty, or stop
    pthread_mutex_t mutex;
    thalweg_task *inbox_first, *inbox_last;  // under the mutex; whether there is a first one is asked without
    uint64_t virtual_ns;  // what the clock shows while it stands still; 0: it is the system's
    uint32_t holds;  // so many keep it from jumping
    bool stop;  // any thread; by atomic operations only, and the compiler's: std::atomic brings in the C++ library
};

namespace thalweg::runtime {

inline uint64_t clock_of(const thalweg_loop *loop) { return loop->virtual_ns ? loop->virtual_ns : now_ns(); }
// Other threads have sent something. Asked without the mutex: who sends later wakes the loop.
inline bool has_inbox(const thalweg_loop *loop) {
    return __atomic_load_n(&loop->inbox_first, __ATOMIC_RELAXED) != nullptr;
}
// A task that has been taken: neither its event nor its id leads to it any more.
void forget(thalweg_task *task);
// The next of those that became ready no later than `last`; null: there is none. It is the caller's alone.
inline thalweg_task *take_ready(thalweg_loop *loop, uint64_t last) {
    thalweg_task *task = loop->first;
    if (!task || task->sequence > last)
        return nullptr;
    loop->first = task->next;
    (task->next ? task->next->previous : loop->last) = nullptr;
    if (task->core || task->id)
        forget(task);
    return task;
}

void collect_due(thalweg_loop *loop);
// What is due, and what other threads sent, joins the ready ones. Mostly there is none, and each turn asks twice.
inline void collect_ready(thalweg_loop *loop) {
    if (loop->timer_count != 0 || has_inbox(loop))
        collect_due(loop);
}

}  // namespace thalweg::runtime
