// runtime: the loop of a thread: its life, its ids, and a turn of it.
#include "loop_state.h"

#include <cstdlib>
#include <cstring>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "registry.h"
#include "running_stack.h"

using namespace thalweg::runtime;

namespace {

// NOLINTBEGIN(cppcoreguidelines-avoid-non-const-global-variables): a thread's loop must be found from nothing, and
// destroyed with its thread when thalweg_loop_here made it.
struct Threads {
    pthread_once_t once;
    pthread_key_t end;
    uint64_t loops_made;
};
constinit Threads threads{PTHREAD_ONCE_INIT, 0, 0};
// NOLINTEND(cppcoreguidelines-avoid-non-const-global-variables)

void make_thread_end() {
    pthread_key_create(&threads.end, [](void *loop) { thalweg_loop_destroy(static_cast<thalweg_loop *>(loop)); });
}

// An id: loop (16 bits), generation (24), index (24).
constexpr uint32_t index_bits = 24, generation_bits = 24;
constexpr uint64_t index_mask = (uint64_t{1} << index_bits) - 1;
constexpr uint32_t generation_mask = (uint32_t{1} << generation_bits) - 1;

uint64_t id_of(const thalweg_loop *loop, uint32_t index) {
    return loop->number << (index_bits + generation_bits) |
           uint64_t{loop->handles.entries[index].generation} << index_bits | index;
}

void grow_handles(HandleTable &table) {
    const uint32_t room = table.count ? table.count * 2 : 16;
    auto *entries = static_cast<Handle *>(allocate(room * sizeof(Handle)));
    if (table.entries)
        memcpy(entries, table.entries, table.count * sizeof(Handle));
    free(table.entries);
    // Generations begin at 1: no id is 0.
    for (uint32_t i = table.count; i < room; ++i)
        entries[i] = {nullptr, 1, i + 1};
    table = {entries, room, table.count};
}

bool open_descriptors(thalweg_loop *loop) {
    loop->epoll = epoll_create1(EPOLL_CLOEXEC);
    if (loop->epoll < 0)
        return false;
    loop->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (loop->wake < 0) {
        close(loop->epoll);
        return false;
    }
    epoll_event interest{};
    interest.events = EPOLLIN;
    interest.data.u64 = wake_mark;
    epoll_ctl(loop->epoll, EPOLL_CTL_ADD, loop->wake, &interest);
    return true;
}

void drop_tasks(thalweg_loop *loop) {
    collect_ready(loop);
    while (loop->first)
        drop_task(loop->first);
    while (loop->timer_count > 0)
        drop_task(loop->timers[0]);
}

}  // namespace

namespace thalweg::runtime {

// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables): as above
constinit thread_local thalweg_loop *loop_of_thread = nullptr;

uint64_t clock_of_thread() { return loop_of_thread ? clock_of(loop_of_thread) : now_ns(); }

uint64_t new_handle(thalweg_loop *loop, void *what) {
    HandleTable &table = loop->handles;
    if (table.first_free == table.count)
        grow_handles(table);
    const uint32_t index = table.first_free;
    table.first_free = table.entries[index].next_free;
    table.entries[index].what = what;
    return id_of(loop, index);
}

void *resolve_handle(const thalweg_loop *loop, uint64_t id) {
    const uint64_t index = id & index_mask;
    if (index >= loop->handles.count || id_of(loop, static_cast<uint32_t>(index)) != id)
        return nullptr;
    return loop->handles.entries[index].what;
}

void free_handle(thalweg_loop *loop, uint64_t id) {
    const auto index = static_cast<uint32_t>(id & index_mask);
    Handle &handle = loop->handles.entries[index];
    const uint32_t generation = (handle.generation + 1) & generation_mask;
    handle = {nullptr, generation ? generation : 1, loop->handles.first_free};
    loop->handles.first_free = index;
}

}  // namespace thalweg::runtime

thalweg_loop *thalweg_loop_create() noexcept {
    auto *loop = static_cast<thalweg_loop *>(allocate(sizeof(thalweg_loop)));
    if (!open_descriptors(loop)) {
        free(loop);
        return nullptr;
    }
    pthread_mutex_init(&loop->mutex, nullptr);
    loop->number = __atomic_fetch_add(&threads.loops_made, 1, __ATOMIC_RELAXED) % 0xffff + 1;
    loop->outer = loop_of_thread;
    loop_of_thread = loop;
    return loop;
}

thalweg_status thalweg_loop_destroy(thalweg_loop *loop) noexcept {
    if (!loop)
        return THALWEG_NULL_POINTER;
    check_thread(loop, "was destroyed");
    drop_tasks(loop);
    while (thalweg_loop_part *part = loop->parts) {
        loop->parts = part->next;
        part->end(part);
    }
    drop_tasks(loop);  // what was let go meanwhile, or sent by another thread
    drop_watches(loop);
    for (thalweg_loop **at = &loop_of_thread; *at; at = &(*at)->outer) {
        if (*at != loop)
            continue;
        *at = loop->outer;
        break;
    }
    close(loop->epoll);
    close(loop->wake);
    pthread_mutex_destroy(&loop->mutex);
    free(loop->timers);
    free(loop->handles.entries);
    free(loop);
    return THALWEG_OK;
}

thalweg_loop *thalweg_loop_here() noexcept {
    if (loop_of_thread)
        return loop_of_thread;
    pthread_once(&threads.once, make_thread_end);
    thalweg_loop *loop = thalweg_loop_create();
    if (!loop)
        return nullptr;
    pthread_setspecific(threads.end, loop);
    return loop;
}

thalweg_status thalweg_loop_stop(thalweg_loop *loop) noexcept {
    if (!loop)
        return THALWEG_NULL_POINTER;
    __atomic_store_n(&loop->stop, true, __ATOMIC_SEQ_CST);
    const uint64_t one = 1;
    [[maybe_unused]] const ssize_t written = write(loop->wake, &one, sizeof(one));
    return THALWEG_OK;
}

int thalweg_loop_is_here(const thalweg_loop *loop) noexcept {
    const thalweg_loop *at = loop_of_thread;
    while (at && at != loop)
        at = at->outer;
    return at != nullptr;
}

int thalweg_stack_is_used(const void *low, const void *high) noexcept {
    const RunningStack stack{low, high};
    for (const thalweg_loop *loop = loop_of_thread; loop; loop = loop->outer)
        if (stack.has(loop->batch))
            return 1;
    return has_raise_on(stack);
}

int thalweg_loop_has_pending(const thalweg_loop *loop) noexcept {
    if (loop->first || loop->timer_count != 0 || loop->watches || loop->holds != 0 || has_inbox(loop))
        return 1;
    const thalweg_loop_part *part = loop->parts;
    while (part && !part->waits(part))
        part = part->next;
    return part != nullptr;
}
