// benchmarks: what of waiting is libuv's: timers, as callbacks. The rest is left to whoever writes the callbacks.
#include <cstdint>
#include <uv.h>

#include "driver.h"

namespace {

struct Pauses {
    uv_timer_t timer;
    uint64_t next, sum;
};

void passed(uv_timer_t *timer) {
    auto *pauses = static_cast<Pauses *>(timer->data);
    pauses->sum += pauses->next++;
}

uint64_t timer0(uint64_t count) {
    uv_loop_t loop;
    uv_loop_init(&loop);
    Pauses pauses{{}, 0, 0};
    // Without a descriptor libuv does not look at any.
    uv_async_t wake;
    uv_async_init(&loop, &wake, nullptr);
    uv_timer_init(&loop, &pauses.timer);
    pauses.timer.data = &pauses;
    // From its own callback a timer of 0 would run again and again before libuv looks at the descriptors.
    while (pauses.next != count) {
        uv_timer_start(&pauses.timer, passed, 0, 0);
        uv_run(&loop, UV_RUN_NOWAIT);
    }
    uv_close(reinterpret_cast<uv_handle_t *>(&wake), nullptr);
    uv_close(reinterpret_cast<uv_handle_t *>(&pauses.timer), nullptr);
    uv_run(&loop, UV_RUN_DEFAULT);
    uv_loop_close(&loop);
    return pauses.sum;
}

// An answer that comes in time: its callback stops the timer and asks for the next.
struct Limited {
    uv_timer_t limit;
    uint64_t sum;
    void (*answered)(Limited *, uint64_t);
};

void is_late(uv_timer_t *limit) { static_cast<Limited *>(limit->data)->answered = nullptr; }

void ask(Limited *limited);
void take(Limited *limited, uint64_t number) {
    uv_timer_stop(&limited->limit);
    limited->sum += number;
    ask(limited);
}
void ask(Limited *limited) {
    limited->answered = take;
    uv_timer_start(&limited->limit, is_late, 10000, 0);
}

uint64_t timeout(uint64_t count) {
    uv_loop_t loop;
    uv_loop_init(&loop);
    Limited limited{{}, 0, nullptr};
    uv_timer_init(&loop, &limited.limit);
    limited.limit.data = &limited;
    ask(&limited);
    for (uint64_t i = 0; i < count; ++i)
        limited.answered(&limited, i);
    uv_close(reinterpret_cast<uv_handle_t *>(&limited.limit), nullptr);
    uv_run(&loop, UV_RUN_DEFAULT);
    uv_loop_close(&loop);
    return limited.sum;
}

struct Calls {
    uv_work_t work;
    uv_loop_t loop;
    uint64_t next, count, sum, result;
};

void call(uv_work_t *work) {
    auto *calls = static_cast<Calls *>(work->data);
    calls->result = calls->next;
}

void have_called(uv_work_t *work, int) {
    auto *calls = static_cast<Calls *>(work->data);
    calls->sum += calls->result;
    if (++calls->next != calls->count)
        uv_queue_work(&calls->loop, &calls->work, call, have_called);
}

uint64_t elsewhere(uint64_t count) {
    Calls calls{{}, {}, 0, count, 0, 0};
    uv_loop_init(&calls.loop);
    calls.work.data = &calls;
    uv_queue_work(&calls.loop, &calls.work, call, have_called);
    uv_run(&calls.loop, UV_RUN_DEFAULT);
    uv_loop_close(&calls.loop);
    return calls.sum;
}

// libuv's own calls of malloc count too.
void *count_malloc(size_t size) {
    ++waits::allocations;
    return std::malloc(size);
}
void *count_realloc(void *memory, size_t size) {
    ++waits::allocations;
    return std::realloc(memory, size);
}
void *count_calloc(size_t count, size_t size) {
    ++waits::allocations;
    return std::calloc(count, size);
}

constexpr waits::Case cases[] = {
    {"timer0", timer0}, {"timeout", timeout}, {"timer0-callback", timer0}, {"elsewhere", elsewhere}};

}  // namespace

int main(int argc, char **argv) {
    uv_replace_allocator(count_malloc, count_realloc, count_calloc, std::free);
    return waits::drive(argc, argv, cases, nullptr);
}
