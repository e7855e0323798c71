// runtime: what a loop has still to do: the queue, the timers, the inbox for other threads, and how to cancel.
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <unistd.h>

#include "event_layout.h"
#include "loop_state.h"
#include "registry.h"

using namespace thalweg::runtime;

namespace {

constexpr uint32_t not_waiting = UINT32_MAX;

bool earlier(const thalweg_task *a, const thalweg_task *b) {
    return a->due_ns != b->due_ns ? a->due_ns < b->due_ns : a->sequence < b->sequence;
}

void put_timer(thalweg_loop *loop, uint32_t place, thalweg_task *task) {
    loop->timers[place] = task;
    task->place = place;
}

void sift_up(thalweg_loop *loop, uint32_t place, thalweg_task *task) {
    while (place > 0) {
        const uint32_t parent = (place - 1) / 2;
        if (!earlier(task, loop->timers[parent]))
            break;
        put_timer(loop, place, loop->timers[parent]);
        place = parent;
    }
    put_timer(loop, place, task);
}

void sift_down(thalweg_loop *loop, uint32_t place, thalweg_task *task) {
    for (;;) {
        uint32_t child = 2 * place + 1;
        if (child >= loop->timer_count)
            break;
        if (child + 1 < loop->timer_count && earlier(loop->timers[child + 1], loop->timers[child]))
            ++child;
        if (!earlier(loop->timers[child], task))
            break;
        put_timer(loop, place, loop->timers[child]);
        place = child;
    }
    put_timer(loop, place, task);
}

void add_timer(thalweg_loop *loop, thalweg_task *task) {
    if (loop->timer_count == loop->timer_room) {
        loop->timer_room = loop->timer_room ? loop->timer_room * 2 : 16;
        auto *grown = static_cast<thalweg_task **>(allocate(loop->timer_room * sizeof(thalweg_task *)));
        if (loop->timers)
            memcpy(grown, loop->timers, loop->timer_count * sizeof(thalweg_task *));
        free(loop->timers);
        loop->timers = grown;
    }
    sift_up(loop, loop->timer_count++, task);
}

void remove_timer(thalweg_task *task) {
    thalweg_loop *loop = task->loop;
    const uint32_t place = task->place;
    thalweg_task *last = loop->timers[--loop->timer_count];
    task->place = not_waiting;
    if (last == task)
        return;
    if (earlier(last, task)) {
        sift_up(loop, place, last);
    } else {
        sift_down(loop, place, last);
    }
}

void add_ready(thalweg_loop *loop, thalweg_task *task) {
    task->place = not_waiting;
    task->sequence = ++loop->last_sequence;
    task->next = nullptr;
    task->previous = loop->last;
    (loop->last ? loop->last->next : loop->first) = task;
    loop->last = task;
}

void remove_ready(thalweg_task *task) {
    thalweg_loop *loop = task->loop;
    (task->previous ? task->previous->next : loop->first) = task->next;
    (task->next ? task->next->previous : loop->last) = task->previous;
}

void join_event(thalweg_task *task) {
    if (!task->core)
        return;
    thalweg_event_info *info = task->core->info;
    task->event_previous = nullptr;
    task->event_next = info->tasks;
    if (info->tasks)
        info->tasks->event_previous = task;
    info->tasks = task;
}

void leave_event(thalweg_task *task) {
    if (!task->core)
        return;
    (task->event_previous ? task->event_previous->event_next : task->core->info->tasks) = task->event_next;
    if (task->event_next)
        task->event_next->event_previous = task->event_previous;
}

// The task is nobody's any more but the caller's.
void take(thalweg_task *task) {
    if (task->place != not_waiting) {
        remove_timer(task);
    } else {
        remove_ready(task);
    }
    forget(task);
}

void add_delayed_from(thalweg_loop *loop, thalweg_task *task, uint64_t from_ns, uint64_t delay_ns) {
    task->due_ns = delay_ns < UINT64_MAX - from_ns ? from_ns + delay_ns : UINT64_MAX;
    task->sequence = ++loop->last_sequence;
    add_timer(loop, task);
}

void add_delayed(thalweg_loop *loop, thalweg_task *task, uint64_t delay_ns) {
    add_delayed_from(loop, task, clock_of(loop), delay_ns);
}

void set_owned(thalweg_loop *loop, thalweg_task *task) {
    task->loop = loop;
    task->core = nullptr;
    task->id = 0;
}

[[gnu::noinline]] int put_later(thalweg_task *task, uint64_t delay_ns) {
    thalweg_loop *loop = thalweg_loop_here();
    if (!loop) {
        task->drop(task);
        return 0;
    }
    set_owned(loop, task);
    if (delay_ns == 0)
        add_ready(loop, task);
    else
        add_delayed(loop, task, delay_ns);
    return 1;
}

void accept(thalweg_loop *loop, thalweg_task *task) {
    task->loop = loop;
    if (task->event_id) {
        task->core = find_id(task->event_id);
        if (!task->core) {
            task->drop(task);
            return;
        }
    }
    task->id = new_handle(loop, task);
    join_event(task);
    add_ready(loop, task);
}

void empty_inbox(thalweg_loop *loop) {
    if (!has_inbox(loop))
        return;
    pthread_mutex_lock(&loop->mutex);
    thalweg_task *task = loop->inbox_first;
    __atomic_store_n(&loop->inbox_first, nullptr, __ATOMIC_RELAXED);
    loop->inbox_last = nullptr;
    pthread_mutex_unlock(&loop->mutex);
    while (task) {
        thalweg_task *next = task->next;
        accept(loop, task);
        task = next;
    }
}

}  // namespace

namespace thalweg::runtime {

uint64_t now_ns() {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return static_cast<uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(now.tv_nsec);
}

void drop_task(thalweg_task *task) {
    take(task);
    task->drop(task);
}

void collect_due(thalweg_loop *loop) {
    empty_inbox(loop);
    if (loop->timer_count == 0)
        return;
    const uint64_t now = clock_of(loop);
    while (loop->timer_count > 0 && loop->timers[0]->due_ns <= now) {
        thalweg_task *task = loop->timers[0];
        remove_timer(task);
        add_ready(loop, task);
    }
}

void forget(thalweg_task *task) {
    leave_event(task);
    if (task->id)
        free_handle(task->loop, task->id);
}

}  // namespace thalweg::runtime

thalweg_raise_id thalweg_task_post(thalweg_task *task, uint64_t delay_ns, thalweg_raise_mode mode) noexcept {
    if (task->core)
        check_thread(task->core, "was posted");
    thalweg_loop *loop = thalweg_loop_here();
    if (!loop) {
        task->drop(task);
        return 0;
    }
    task->loop = loop;
    task->mode = mode;
    task->id = new_handle(loop, task);
    join_event(task);
    if (delay_ns == 0)
        add_ready(loop, task);
    else
        add_delayed(loop, task, delay_ns);
    return task->id;
}

int thalweg_task_put(thalweg_task *task, uint64_t delay_ns) noexcept {
    thalweg_loop *loop = loop_of_thread;
    if (!loop || delay_ns != 0)
        return put_later(task, delay_ns);
    set_owned(loop, task);
    add_ready(loop, task);
    return 1;
}

int thalweg_task_put_from(thalweg_task *task, uint64_t from_ns, uint64_t delay_ns) noexcept {
    thalweg_loop *loop = thalweg_loop_here();
    if (!loop) {
        task->drop(task);
        return 0;
    }
    set_owned(loop, task);
    add_delayed_from(loop, task, from_ns, delay_ns);
    return 1;
}

void thalweg_task_take_back(thalweg_task *task) noexcept { take(task); }

void thalweg_task_send(thalweg_loop *loop, thalweg_task *task, uint64_t event_id) noexcept {
    task->core = nullptr;
    task->event_id = event_id;
    task->mode = THALWEG_RAISE_ASYNC;
    task->next = nullptr;
    pthread_mutex_lock(&loop->mutex);
    const bool was_empty = !loop->inbox_first;
    if (was_empty) {
        __atomic_store_n(&loop->inbox_first, task, __ATOMIC_RELAXED);
    } else {
        loop->inbox_last->next = task;
    }
    loop->inbox_last = task;
    // Under the mutex: a loop that has seen the task may be destroyed by what it runs.
    if (was_empty) {
        const uint64_t one = 1;
        [[maybe_unused]] const ssize_t written = write(loop->wake, &one, sizeof(one));
    }
    pthread_mutex_unlock(&loop->mutex);
}

thalweg_status thalweg_cancel(thalweg_raise_id id) noexcept {
    for (thalweg_loop *loop = thalweg_loop_here(); loop; loop = loop->outer) {
        auto *task = static_cast<thalweg_task *>(resolve_handle(loop, id));
        if (!task)
            continue;
        drop_task(task);
        return THALWEG_OK;
    }
    return THALWEG_NOT_PENDING;
}
