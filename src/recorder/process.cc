// recorder: the process being recorded: its folder, its chunks, and which thread has which.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE  // secure_getenv
#endif
#include "recorder/process.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "recorder/counters.h"
#include "recorder/mapped_file.h"
#include "recorder/reserve.h"

extern "C" {
extern __attribute__((weak)) const uint64_t thalweg_probe_guard_count;
extern __attribute__((weak)) const uint64_t thalweg_probe_slot_count;
extern __attribute__((weak)) const uint64_t thalweg_probe_entry_count;
extern __attribute__((weak)) const char thalweg_probe_part[];
}

namespace thalweg::recorder {

namespace {

constexpr uint64_t random_seed = 0x9e3779b97f4a7c15ull;  // any odd number; the same one in every run (Law 6)

class Locked {
  public:
    explicit Locked(int &lock) : lock_(lock) {
        while (__atomic_exchange_n(&lock_, 1, __ATOMIC_ACQUIRE) != 0)
            sched_yield();
    }
    ~Locked() { __atomic_store_n(&lock_, 0, __ATOMIC_RELEASE); }
    Locked(const Locked &) = delete;
    Locked &operator=(const Locked &) = delete;

  private:
    int &lock_;
};

// A program without a guard, a site or a function with generic code has no such constant.
uint64_t constant_or_0(const uint64_t *constant) { return constant == nullptr ? 0 : *constant; }
uint64_t guard_count() { return constant_or_0(&thalweg_probe_guard_count); }

uint64_t now_ns() {
    timespec time{};
    clock_gettime(CLOCK_REALTIME, &time);
    return static_cast<uint64_t>(time.tv_sec) * 1000000000u + static_cast<uint64_t>(time.tv_nsec);
}

void file_name(const Process &process, const char *part, char *path, size_t size) {
    snprintf(path, size, "%s/%u-%llx-%s%s", process.directory, process.pid,
             static_cast<unsigned long long>(process.start_ns), part, raw::file_ending);
}

void fill_header(const Process &process, raw::Header &header, raw::Kind kind, size_t size) {
    header.version = raw::version;
    header.kind = kind;
    header.file_size = size;
    header.process_start_ns = process.start_ns;
    header.pid = process.pid;
    header.symbol_count = process.symbols.count();
}

// The program goes on without being recorded; what was recorded so far stays.
void stop(Process &process, const char *what, const char *path, int problem) {
    process.recording = false;
    if (process.file != nullptr)
        process.file->failure = static_cast<uint64_t>(problem);
    warn(what, path, problem);
}

// A file of its own, or a part of the reserve; null and errno.
raw::Header *map_header(const Process &process, const char *path, size_t size) {
    void *bytes = map_new_file(path, size);
    if (bytes == nullptr && process.reserve != nullptr && may_take(errno))
        bytes = take_part(process.reserve, size);
    return static_cast<raw::Header *>(bytes);
}

// Before the program runs, and gives up what it takes to open files.
void open_reserve(Process &process) {
    char path[directory_size + 128];
    file_name(process, "r", path, sizeof path);
    process.reserve = make_reserve(path);
    if (process.reserve == nullptr)
        return;
    fill_header(process, process.reserve->header, raw::reserve_file, raw::reserve_size);
    __atomic_store_n(&process.reserve->header.magic, raw::magic, __ATOMIC_RELEASE);
}

void open_process_file(Process &process) {
    char path[directory_size + 128];
    file_name(process, "p", path, sizeof path);
    const size_t size = sizeof(raw::Header) + guard_count() * 2 * sizeof(uint64_t);
    process.file = map_header(process, path, size);
    if (process.file == nullptr)
        return stop(process, "cannot write", path, errno);
    process.file->guard_count = guard_count();
    fill_header(process, *process.file, raw::process_file, size);
    __atomic_store_n(&process.file->magic, raw::magic, __ATOMIC_RELEASE);
    if (guard_count() != 0)
        thalweg_probe_guards = reinterpret_cast<uint64_t *>(process.file + 1);
}

// Where that can't be done the recording ends, and what is counted stays in memory.
void open_counter_file(Process &process, bool is_child) {
    if (!process.recording || counter_count() == 0)
        return;
    char path[directory_size + 128];
    file_name(process, "c", path, sizeof path);
    raw::Header header{};
    fill_header(process, header, raw::counter_file, counter_file_size());
    header.counter_count = static_cast<uint32_t>(counter_count());
    header.magic = raw::magic;
    if (map_counters(path, header, !is_child))
        return;
    const bool may = process.reserve != nullptr && may_take(errno);
    void *part = may ? take_part(process.reserve, counter_file_size()) : nullptr;
    if (part == nullptr || !count_in(part, header, !is_child))
        stop(process, "cannot write", path, errno);
}

void begin_files(Process &process, bool is_child) {
    process.pid = static_cast<uint32_t>(getpid());
    process.start_ns = now_ns();
    process.recording = true;
    open_process_file(process);
    open_counter_file(process, is_child);
}

void chunk_name(const Process &process, uint32_t index, uint32_t generation, char *path, size_t size) {
    char part[32];
    if (generation == 0)
        snprintf(part, sizeof part, "%u", index);
    else
        snprintf(part, sizeof part, "%u.%u", index, generation);
    file_name(process, part, path, size);
}

raw::Header *make_chunk(void *context, uint32_t index, uint32_t generation, size_t bytes) {
    const auto &process = *static_cast<const Process *>(context);
    char path[directory_size + 128];
    chunk_name(process, index, generation, path, sizeof path);
    raw::Header *header = map_header(process, path, bytes);
    if (header == nullptr)
        return nullptr;
    fill_header(process, *header, raw::chunk_file, bytes);
    header->chunk_index = index;
    header->generation = generation;
    return header;
}

void drop_chunk(void *context, raw::Header *chunk) {
    if (is_part(static_cast<const Process *>(context)->reserve, chunk))
        return drop_part(chunk, chunk->file_size);
    char path[directory_size + 128];
    chunk_name(*static_cast<const Process *>(context), chunk->chunk_index, chunk->generation, path, sizeof path);
    unlink(path);
    unmap_memory(chunk, chunk->file_size);
}

bool make_counting(Counting &counting, raw::Table table, uint32_t slots, uint64_t exact) {
    counting.table = table;
    counting.exact_left = exact;
    if (slots == 0)
        return true;
    counting.asking = static_cast<raw::Slot *>(map_memory(slots * sizeof(raw::Slot)));
    counting.states = static_cast<SlotState *>(map_memory(slots * sizeof(SlotState)));
    return counting.asking != nullptr && counting.states != nullptr;
}

Thread *new_thread(Process &process) {
    auto *thread = static_cast<Thread *>(map_memory(sizeof(Thread)));
    const uint32_t(&slots)[2] = process.slot_count;
    if (thread == nullptr ||
        !make_counting(thread->dispatches, raw::dispatch_slots, slots[raw::dispatch_slots], exact_dispatches) ||
        !make_counting(thread->entries, raw::entry_slots, slots[raw::entry_slots], exact_entries) ||
        !make_tables(thread->tables, {&process, make_chunk, drop_chunk}, process.chunk_count,
                     slots[raw::dispatch_slots], slots[raw::entry_slots])) {
        stop(process, "cannot write to", process.directory, errno);
        return nullptr;
    }
    thread->symbols = &process.symbols;
    thread->all = process.all;
    thread->timer.is_usable = process.call_clock.usable;
    thread->timer.reading_ns = static_cast<int64_t>(process.call_clock.cost_ns);
    thread->random = random_seed + process.chunk_count * 2;
    ++process.chunk_count;
    return thread;
}

Thread *free_or_new_thread(Process &process) {
    Thread *thread = process.free_threads;
    if (thread != nullptr) {
        process.free_threads = thread->next_free;
        return thread;
    }
    if (process.chunk_count < chunks_at_most)
        return new_thread(process);
    return nullptr;
}

}  // namespace

void start_process(Process &process) {
    const char *directory = secure_getenv(raw::directory_variable);
    const char *part = &thalweg_probe_part[0] == nullptr ? "" : thalweg_probe_part;
    if (directory == nullptr || directory[0] != '/' || strlen(directory) + strlen(part) + 1 >= directory_size)
        return;
    snprintf(process.directory, sizeof process.directory, part[0] == 0 ? "%s%s" : "%s/%s", directory, part);
    char marker[directory_size + 16];
    snprintf(marker, sizeof marker, "%s/%s", directory, raw::exact_marker);
    process.all = access(marker, F_OK) == 0;
    if (!process.symbols.build())
        return warn("cannot keep the symbols of", directory, ENOMEM);
    process.call_clock = call_clock();
    process.slot_count[raw::dispatch_slots] = static_cast<uint32_t>(constant_or_0(&thalweg_probe_slot_count));
    process.slot_count[raw::entry_slots] = static_cast<uint32_t>(constant_or_0(&thalweg_probe_entry_count));
    begin_files(process, false);
    if (process.recording)
        open_reserve(process);
}

void restart_in_child(Process &process) {
    process.lock = 0;
    if (process.file == nullptr)
        return;
    process.free_threads = nullptr;
    process.chunk_count = 0;
    begin_files(process, true);
}

Thread *claim_thread(Process &process, SlotsPointer dispatch_slots, SlotsPointer entry_slots) {
    const Locked locked(process.lock);
    if (!process.recording)
        return nullptr;
    Thread *thread = free_or_new_thread(process);
    if (thread == nullptr) {
        if (process.file != nullptr)
            ++process.file->threads_without_chunk;
        return nullptr;
    }
    begin(*thread, dispatch_slots, entry_slots);
    ++thread->tables.header->threads;
    return thread;
}

void return_thread(Process &process, Thread *thread) {
    const Locked locked(process.lock);
    thread->tables.counting[raw::dispatch_slots] = thread->tables.counting[raw::entry_slots] = nullptr;
    thread->next_free = process.free_threads;
    process.free_threads = thread;
}

void count_nowhere(Process &process, raw::Table table, SlotsPointer slots, uint32_t slot) {
    raw::Slot *nowhere = __atomic_load_n(&process.nowhere[table], __ATOMIC_ACQUIRE);
    if (nowhere == nullptr) {
        const uint64_t *count = table == raw::dispatch_slots ? &thalweg_probe_slot_count : &thalweg_probe_entry_count;
        const size_t bytes = constant_or_0(count) * sizeof(raw::Slot);
        nowhere = bytes == 0 ? nullptr : static_cast<raw::Slot *>(map_memory(bytes));
        raw::Slot *expected = nullptr;
        if (nowhere != nullptr && !__atomic_compare_exchange_n(&process.nowhere[table], &expected, nowhere, false,
                                                               __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
            unmap_memory(nowhere, bytes);
            nowhere = expected;
        }
    }
    if (nowhere != nullptr)
        *slots = nowhere;
    (*slots)[slot].left = nowhere != nullptr ? INT32_MAX : 0;
}

}  // namespace thalweg::recorder
