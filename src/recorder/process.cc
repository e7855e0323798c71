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

#include "recorder/mapped_file.h"

extern "C" {
extern __attribute__((weak)) const uint64_t thalweg_probe_guard_count;
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

uint64_t guard_count() { return &thalweg_probe_guard_count == nullptr ? 0 : thalweg_probe_guard_count; }

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
    __atomic_store_n(&header.magic, raw::magic, __ATOMIC_RELEASE);
}

// The program goes on without being recorded; what was recorded so far stays.
void stop(Process &process, const char *what, const char *path, int problem) {
    process.recording = false;
    if (process.file != nullptr)
        process.file->failure = static_cast<uint64_t>(problem);
    warn(what, path, problem);
}

void open_process_file(Process &process) {
    char path[directory_size + 128];
    file_name(process, "p", path, sizeof path);
    const size_t size = sizeof(raw::Header) + guard_count() * 2 * sizeof(uint64_t);
    process.file = static_cast<raw::Header *>(map_new_file(path, size));
    if (process.file == nullptr)
        return stop(process, "cannot write", path, errno);
    process.file->guard_count = guard_count();
    fill_header(process, *process.file, raw::process_file, size);
    if (guard_count() != 0)
        thalweg_probe_guards = reinterpret_cast<uint64_t *>(process.file + 1);
}

void begin_files(Process &process) {
    process.pid = static_cast<uint32_t>(getpid());
    process.start_ns = now_ns();
    process.recording = true;
    open_process_file(process);
}

Thread *new_thread(Process &process) {
    auto *thread = static_cast<Thread *>(map_memory(sizeof(Thread)));
    auto *keys = static_cast<EventKey *>(map_memory(key_capacity * sizeof(EventKey)));
    char part[16];
    char path[directory_size + 128];
    snprintf(part, sizeof part, "%u", process.chunk_count);
    file_name(process, part, path, sizeof path);
    auto *chunk = static_cast<raw::Chunk *>(map_new_file(path, sizeof(raw::Chunk)));
    if (thread == nullptr || keys == nullptr || chunk == nullptr) {
        stop(process, "cannot write", path, errno);
        return nullptr;
    }
    chunk->header.chunk_index = process.chunk_count;
    fill_header(process, chunk->header, raw::chunk_file, sizeof(raw::Chunk));
    thread->tables = {chunk, keys, 0};
    thread->symbols = &process.symbols;
    thread->all = process.all;
    thread->random = random_seed + process.chunk_count * 2;
    process.used_threads[process.chunk_count++] = thread;
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
    if (directory == nullptr || directory[0] != '/' || strlen(directory) >= directory_size)
        return;
    strcpy(process.directory, directory);
    char marker[directory_size + 16];
    snprintf(marker, sizeof marker, "%s/%s", directory, raw::exact_marker);
    process.all = access(marker, F_OK) == 0;
    if (!process.symbols.build())
        return warn("cannot keep the symbols of", directory, ENOMEM);
    process.call_clock = call_clock();
    begin_files(process);
}

void restart_in_child(Process &process) {
    process.lock = 0;
    if (process.file == nullptr)
        return;
    process.free_threads = nullptr;
    process.chunk_count = 0;
    begin_files(process);
}

void finish_process(Process &process) {
    const Locked locked(process.lock);
    for (uint32_t i = 0; i < process.chunk_count; ++i)
        if (process.used_threads[i]->countdown != nullptr)
            close_gap(*process.used_threads[i]);
}

Thread *claim_thread(Process &process, int32_t *countdown, int32_t *entry_countdown) {
    const Locked locked(process.lock);
    if (!process.recording)
        return nullptr;
    Thread *thread = free_or_new_thread(process);
    if (thread == nullptr) {
        if (process.file != nullptr)
            ++process.file->threads_without_chunk;
        return nullptr;
    }
    thread->countdown = countdown;
    thread->entry_countdown = entry_countdown;
    thread->previous_event = raw::none;
    thread->depth = 0;
    thread->mode = 0;
    thread->burst_left = 0;
    thread->overrun_left = 0;
    thread->entry_burst_left = 0;
    thread->last_call = {};
    thread->call_timer.is_returned = thread->call_timer.is_entered = false;
    ++thread->tables.chunk->header.threads;
    return thread;
}

void return_thread(Process &process, Thread *thread) {
    close_gap(*thread);
    const Locked locked(process.lock);
    thread->countdown = nullptr;
    thread->next_free = process.free_threads;
    process.free_threads = thread;
}

}  // namespace thalweg::recorder
