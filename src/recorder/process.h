// recorder: the process being recorded: its folder, its chunks, and which thread has which.
#pragma once

#include <cstdint>

#include "abi/probe.h"
#include "abi/raw_format.h"
#include "recorder/blocks.h"
#include "recorder/call_timer.h"
#include "recorder/thread.h"

namespace thalweg::recorder {

// A program with more threads at one time is recorded in part, and `threads_without_chunk` says so.
inline constexpr uint32_t chunks_at_most = 256;
inline constexpr uint32_t directory_size = 3072;

struct Process {
    bool recording;
    bool all;
    bool thread_key_made;
    uint32_t thread_key;  // pthread_key_t: its destructor gives a thread's chunk back
    uint32_t slot_count[2];  // by raw::Table: of dispatches, of entries
    uint32_t pid;
    uint64_t start_ns;
    int lock;  // around what follows
    uint32_t chunk_count;
    Thread *free_threads;
    raw::Header *file;                     // the process file; the guards' counters behind it
    raw::Reserve *reserve;                 // the first process's, its children have it too; null: none
    CallClock call_clock;
    raw::Slot *nowhere[2];  // by raw::Table: where threads count that are not recorded
    SymbolMap symbols;
    Blocks blocks;
    char directory[directory_size];
};

// Reads the environment and opens the process file; when that fails nothing is recorded.
void start_process(Process &process);
// In a forked child: files of its own; what the other threads had begun belongs to the parent.
void restart_in_child(Process &process);
// A chunk for the calling thread, whose variables these are; null when there is none to be had.
Thread *claim_thread(Process &process, SlotsPointer dispatch_slots, SlotsPointer entry_slots);
void return_thread(Process &process, Thread *thread);
// A thread that is not recorded asks at this slot: it does not do so again soon.
void count_nowhere(Process &process, raw::Table table, SlotsPointer slots, uint32_t slot);

}  // namespace thalweg::recorder
