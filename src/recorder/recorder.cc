// recorder: the functions that the probes call, and the hooks that the runtime calls.
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/resource.h>

#include <thalweg/abi.h>

#include "abi/probe.h"
#include "recorder/counters.h"
#include "recorder/mapped_file.h"
#include "recorder/process.h"

// A program without our runtime has no such variable.
extern "C" {
extern __attribute__((weak)) const thalweg_hooks *thalweg_recorder_hooks;
extern __attribute__((weak)) const uint64_t thalweg_probe_guard_count;
extern __attribute__((weak)) uint8_t thalweg_probe_fact_open[];
extern __attribute__((weak)) thalweg_probe_slot thalweg_probe_first_slots[];
extern __attribute__((weak)) thalweg_probe_slot thalweg_probe_first_entries[];
}

extern "C" {
__thread thalweg_probe_slot *thalweg_probe_slots = thalweg_probe_first_slots;
__thread thalweg_probe_slot *thalweg_probe_entries = thalweg_probe_first_entries;
__thread uint64_t thalweg_probe_entry_call = 0;
__thread uint8_t thalweg_probe_call_timed = 0;
uint64_t *thalweg_probe_guards = nullptr;
uint8_t thalweg_probe_blocks[1 << THALWEG_PROBE_BLOCK_BITS] = {};
}

namespace {

using thalweg::recorder::DispatchTimer;
using thalweg::recorder::Process;
using thalweg::recorder::Thread;
namespace raw = thalweg::raw;

constinit Process process{};  // one process, one recorder: the probes have no place to carry a pointer in
__thread Thread *own_thread = nullptr;
__thread bool at_the_lock = false;  // a signal handler that raises now must not wait for what it interrupted
__thread bool has_no_chunk = false;  // there was none to be had: it is not asked for again

// The first argument of the compiled code's caller: whatever lies below its stack pointer is gone.
#define CALLERS_STACK (reinterpret_cast<uint64_t>(__builtin_frame_address(0)) + 2 * sizeof(void *))

// The thread asks at its next dispatch (entry).
void ask_anew() {
    thalweg_probe_slots = thalweg_probe_first_slots;
    thalweg_probe_entries = thalweg_probe_first_entries;
    thalweg_probe_call_timed = 0;
}

void thread_ends(void *value) {
    at_the_lock = true;
    own_thread = nullptr;
    thalweg::recorder::return_thread(process, static_cast<Thread *>(value));
    at_the_lock = false;
    ask_anew();  // a destructor that runs later may dispatch again
}

__attribute__((noinline)) void start_clock(DispatchTimer &timer) { resume(timer, thalweg::recorder::call_clock_ns()); }
__attribute__((noinline)) void stop_clock(DispatchTimer &timer) { pause(timer, thalweg::recorder::call_clock_ns()); }

uint64_t ns_of(const timeval &time) {
    return static_cast<uint64_t>(time.tv_sec) * 1000000000u + static_cast<uint64_t>(time.tv_usec) * 1000u;
}

void look_at_usage(DispatchTimer &timer) {
    rusage usage{};
    if (getrusage(RUSAGE_THREAD, &usage) == 0)
        take_off_preemption(timer, {thalweg::recorder::call_clock_ns(), ns_of(usage.ru_utime) + ns_of(usage.ru_stime),
                                    usage.ru_nivcsw, usage.ru_nvcsw});
}

void measure_cost(DispatchTimer &timer) {
    const int64_t ran_ns = timer.ran_ns, longest_ns = timer.longest_ns;
    int64_t times[thalweg::recorder::nothings];
    timer.cost_ns = 0;
    for (int64_t &time : times) {
        timer.ran_ns = 0;
        start_clock(timer);
        stop_clock(timer);
        time = timer.ran_ns;
    }
    timer.ran_ns = ran_ns;
    timer.longest_ns = longest_ns;
    timer.cost_ns = thalweg::recorder::cost_of(times);
    timer.asks_cost = false;
}

// A signal handler may interrupt the recorder and raise: its raise is not noted, and counted as lost.
class Busy {
  public:
    explicit Busy(Thread &thread) : thread_(thread) {
        thread_.busy = true;
        __atomic_signal_fence(__ATOMIC_SEQ_CST);
        if (is_timing(thread.timer))
            stop_clock(thread.timer);
    }
    ~Busy() {
        if (is_timing(thread_.timer)) {
            if (thread_.timer.asks_cost) {
                look_at_usage(thread_.timer);
                measure_cost(thread_.timer);
            }
            start_clock(thread_.timer);
        }
        __atomic_signal_fence(__ATOMIC_SEQ_CST);
        thread_.busy = false;
    }
    Busy(const Busy &) = delete;
    Busy &operator=(const Busy &) = delete;

  private:
    Thread &thread_;
};

// The same around a note, which begins and ends no dispatch.
class BusyNoting {
  public:
    explicit BusyNoting(Thread &thread)
        : thread_(thread), header_(thread.tables.header),
          is_estimated_(is_timing(thread.timer) && estimates_note(thread.timer)) {
        thread_.busy = true;
        __atomic_signal_fence(__ATOMIC_SEQ_CST);
        if (is_timing(thread.timer) && !is_estimated_)
            stop_clock(thread.timer);
    }
    ~BusyNoting() {
        if (!is_timing(thread_.timer)) {
            // Nothing is, or what was timed has been left by an exception.
        } else if (!is_estimated_) {
            start_clock(thread_.timer);
            learn_note(thread_.timer);
        } else if (thread_.tables.header == header_) {
            pass_over_note(thread_.timer);
        } else {
            give_up_timings(thread_);  // a table has grown, which is not what a note takes
        }
        __atomic_signal_fence(__ATOMIC_SEQ_CST);
        thread_.busy = false;
    }
    BusyNoting(const BusyNoting &) = delete;
    BusyNoting &operator=(const BusyNoting &) = delete;

  private:
    Thread &thread_;
    const raw::Header *header_;
    bool is_estimated_;
};

// The calling thread's chunk, claimed at its first dispatch; null when it is not recorded.
Thread *thread_here() {
    if (__builtin_expect(own_thread != nullptr, 1))
        return own_thread;
    if (at_the_lock)
        return nullptr;
    if (!has_no_chunk) {
        at_the_lock = true;
        const int problem = errno;  // the program's own, which it may yet ask for
        own_thread = thalweg::recorder::claim_thread(process, &thalweg_probe_slots, &thalweg_probe_entries);
        errno = problem;
        at_the_lock = false;
        has_no_chunk = own_thread == nullptr;
    }
    if (!has_no_chunk && process.thread_key_made)
        pthread_setspecific(process.thread_key, own_thread);
    return own_thread;
}

// The thread of a dispatch that is to be noted; null: it can't be.
Thread *free_thread(uint32_t slot) {
    Thread *thread = thread_here();
    if (thread != nullptr && !thread->busy)
        return thread;
    if (has_no_chunk)
        count_nowhere(process, raw::dispatch_slots, &thalweg_probe_slots, slot);
    else
        thalweg_probe_slots[slot].left = 0;
    if (thread != nullptr)
        ++thread->tables.header->lost;
    return nullptr;
}

void bindings_changed(thalweg_core *core) {
    Thread *thread = own_thread;
    if (thread == nullptr || thread->busy)
        return;
    const Busy busy(*thread);
    // An event that was never raised is still being built up.
    const uint32_t event = known_event(thread->tables, reinterpret_cast<uint64_t>(core));
    if (event != thalweg::raw::none)
        ++thread->tables.events()[event].binding_changes;
}

void event_deleted(thalweg_core *core) {
    Thread *thread = own_thread;
    if (thread == nullptr || thread->busy)
        return;
    const Busy busy(*thread);
    forget_event(thread->tables, reinterpret_cast<uint64_t>(core));
}

void raise_mode(thalweg_raise_mode mode) {
    if (own_thread != nullptr)
        own_thread->mode = mode;
}

constexpr thalweg_hooks hooks = {bindings_changed, event_deleted, raise_mode};

void in_child() {
    own_thread = nullptr;
    at_the_lock = has_no_chunk = false;
    // Else the end of this thread would give back a chunk that is the parent's.
    if (process.thread_key_made)
        pthread_setspecific(process.thread_key, nullptr);
    ask_anew();
    thalweg::recorder::restart_in_child(process);
}

uint8_t &byte_of_block(uint64_t address) {
    return thalweg_probe_blocks[address >> THALWEG_PROBE_PAGE_BITS & ((1u << THALWEG_PROBE_BLOCK_BITS) - 1)];
}

void call_entered(uint32_t site) {
    thalweg_probe_call_timed = 0;
    Thread *thread = own_thread;
    if (thread != nullptr && !thread->busy)
        entered(thread->call_timer, site, thalweg::recorder::call_clock_ns());
}

// The last thing before the program goes on.
void call_returned(Thread &thread) {
    thalweg_probe_call_timed = process.call_clock.usable && times_next(thread.call_timer) ? 1 : 0;
    if (thalweg_probe_call_timed != 0)
        returned(thread.call_timer, thalweg::recorder::call_clock_ns());
}

// What gives memory back is noted before it is called.
enum class When { before, behind };

void note_system_call(const thalweg::recorder::CallNote &note, When when) {
    Thread *thread = thread_here();
    if (thread == nullptr)
        return;
    thalweg::recorder::Tables &tables = thread->tables;
    if (thread->busy) {
        ++tables.header->lost;
        return;
    }
    const bool is_timed = when == When::behind && thread->call_timer.is_entered;
    const uint64_t now_ns = is_timed ? thalweg::recorder::call_clock_ns() : 0;
    const Busy busy(*thread);
    const thalweg::recorder::CallTimes times = take_times(thread->call_timer, note.site, now_ns, process.call_clock);
    if (gives_large_block(note)) {
        const auto address = static_cast<uint64_t>(note.result);
        __atomic_store_n(&byte_of_block(address), 1, __ATOMIC_RELAXED);
        if (!process.blocks.add(address, note.site))
            ++tables.header->lost;
    }
    if (!note_call(tables, thread->last_call, note, times))
        ++tables.header->lost;
    if (when == When::behind)
        call_returned(*thread);
}

// Somewhere to count to when nothing is recorded: the compiled code counts without asking.
void guards_somewhere() {
    if (&thalweg_probe_guard_count == nullptr || thalweg_probe_guard_count == 0)
        return;
    thalweg_probe_guards =
        static_cast<uint64_t *>(thalweg::recorder::map_memory(thalweg_probe_guard_count * 2 * sizeof(uint64_t)));
}

// Before the program's own constructors (those of 101 and later), because they may raise.
__attribute__((constructor(101))) void start() {
    guards_somewhere();
    thalweg::recorder::start_process(process);
    if (!process.recording)
        return;
    pthread_key_t key{};
    process.thread_key_made = pthread_key_create(&key, thread_ends) == 0;
    process.thread_key = key;
    pthread_atfork(nullptr, nullptr, in_child);
    if (&thalweg_recorder_hooks != nullptr)
        thalweg_recorder_hooks = &hooks;
}

}  // namespace

extern "C" {

int thalweg_probe_enter(uint32_t site, uint32_t slot, const struct thalweg_core *core,
                        const void *frame_address) noexcept {
    Thread *thread = free_thread(slot);
    if (thread == nullptr)
        return 0;
    const Busy busy(*thread);
    return enter(*thread, {site, slot, reinterpret_cast<uint64_t>(frame_address)}, core);
}

int thalweg_probe_trigger(uint32_t site, uint32_t slot, const void *node, const void *frame_address) noexcept {
    Thread *thread = free_thread(slot);
    if (thread == nullptr)
        return 0;
    const Busy busy(*thread);
    return enter_trigger(*thread, {site, slot, reinterpret_cast<uint64_t>(frame_address)},
                         static_cast<const thalweg_node_head *>(node));
}

int thalweg_probe_go_on(uint32_t site, uint32_t slot, const void *function, const void *frame_address) noexcept {
    Thread *thread = free_thread(slot);
    if (thread == nullptr)
        return 0;
    const Busy busy(*thread);
    return enter_wait(*thread, {site, slot, reinterpret_cast<uint64_t>(frame_address)},
                      reinterpret_cast<uint64_t>(function));
}

void thalweg_probe_target(uint32_t ordinal, const void *function, const void *context) noexcept {
    Thread *thread = own_thread;
    if (thread == nullptr || thread->busy || is_kept_no_more(*thread, CALLERS_STACK))
        return;
    const BusyNoting busy(*thread);
    target(*thread, ordinal, reinterpret_cast<uint64_t>(function), reinterpret_cast<uint64_t>(context), CALLERS_STACK);
}

void thalweg_probe_leave(uint32_t site) noexcept {
    Thread *thread = own_thread;
    if (thread == nullptr || thread->busy)
        return;
    const Busy busy(*thread);
    if (thread->depth > 0 && thread->frames[thread->depth - 1].timing.stands_for != 0)
        look_at_usage(thread->timer);
    leave(*thread, site, CALLERS_STACK);
}

int thalweg_probe_function(uint32_t function, uint32_t slot) noexcept {
    Thread *thread = thread_here();
    if (thread == nullptr && has_no_chunk) {
        count_nowhere(process, raw::entry_slots, &thalweg_probe_entries, slot);
        return 0;
    }
    if (thread == nullptr || thread->busy) {
        thalweg_probe_entries[slot].left = 0;
        if (thread != nullptr)
            ++thread->tables.slots(raw::entry_slots)[slot].granted;
        return 0;
    }
    const BusyNoting busy(*thread);
    return enter_function(*thread, function, slot) ? 1 : 0;
}

void thalweg_probe_fact(uint32_t place, uint64_t value, int is_pointer) noexcept {
    Thread *thread = own_thread;
    if (thread == nullptr || thread->busy)
        return;
    const BusyNoting busy(*thread);
    if (!note(*thread, place, value, is_pointer != 0))
        __atomic_store_n(&thalweg_probe_fact_open[place], 0, __ATOMIC_RELAXED);
}

void thalweg_probe_system_call(uint64_t call, int64_t descriptor, const void *buffer, uint64_t size, int64_t offset,
                               int64_t result) noexcept {
    note_system_call({static_cast<uint32_t>(call), static_cast<uint32_t>(call >> 32), descriptor,
                      reinterpret_cast<uint64_t>(buffer), size, offset, result},
                     When::behind);
}

void thalweg_probe_before_call(uint64_t call) noexcept { call_entered(static_cast<uint32_t>(call)); }

void thalweg_probe_release(uint64_t call, const void *block) noexcept {
    const auto address = reinterpret_cast<uint64_t>(block);
    const uint32_t from = process.blocks.take(address);
    if (from == raw::none)
        return;
    const auto site = static_cast<uint32_t>(call);
    const auto flags = static_cast<uint32_t>(call >> 32);
    if ((flags & THALWEG_CALL_IS_COUNTED) != 0) {
        if (thalweg_probe_call_timed != 0)
            call_entered(site);
        note_system_call({site, flags, -1, address, 0, -1, 0}, When::before);
    }
    Thread *thread = own_thread;
    if (thread == nullptr || thread->busy)
        return;
    const Busy busy(*thread);
    if (!thalweg::recorder::note_release(thread->tables, from, site))
        ++thread->tables.header->lost;
}

void thalweg_probe_call_target(thalweg_probe_call *call, uint64_t address) noexcept {
    thalweg::recorder::count_target(*call, address, process.symbols);
}

uint64_t thalweg_probe_hash(uint64_t hash, const void *bytes, uint64_t size) noexcept {
    constexpr uint64_t multiplier =
        0x9e3779b97f4a7c15;  // 2^64 by the golden ratio, as in Knuth's multiplicative hashing
    const char *at = static_cast<const char *>(bytes);
    for (uint64_t left = size; left > 0;) {
        const uint64_t step = left < sizeof(uint64_t) ? left : sizeof(uint64_t);
        uint64_t word = 0;
        __builtin_memcpy(&word, at, step);
        hash = (hash ^ word ^ step) * multiplier;
        hash ^= hash >> 32;
        at += step;
        left -= step;
    }
    return hash;
}

}  // extern "C"
