// recorder: what one thread has going on: the dispatches it is in, and when it samples.
#pragma once

#include <cstdint>

#include "recorder/call_timer.h"
#include "recorder/symbols.h"
#include "recorder/system_call.h"
#include "recorder/tables.h"

struct thalweg_core;
struct thalweg_node_head;

namespace thalweg::recorder {

// Law 7. The first dispatches of a thread are all noted: a run of some 10,000 raises is known exactly.
inline constexpr uint64_t exact_dispatches = 65536;
// Later, bursts of consecutive dispatches (edges and nestings need neighbours) with gaps of pseudo-random length, so that
// no period of the program can hide in them. Noting one costs about 100 ns, an empty dispatch about 5 ns: one in 1,024
// keeps the cost of sampling at some 2 % of a loop that does nothing else.
inline constexpr uint32_t burst_dispatches = 64;
inline constexpr uint32_t mean_gap_dispatches = 65536;
// A burst goes on until the dispatch that it is in has ended, but not for ever: a main loop can be a dispatch too.
inline constexpr uint32_t overrun_dispatches = 256;
// Deeper nesting is counted as lost.
inline constexpr uint32_t depth_at_most = 64;

// Entries of functions with generic code are sampled the same way, for what they note: an entry that notes twenty values
// costs some 300 ns, an empty one 5: 8 in 16,384 cost 3 % of a program that does nothing else.
inline constexpr uint64_t exact_entries = 16384;
// Of each function so many are noted whenever they come: one that runs now and then in a thread that has long been busy with others would
// meet no sample. Sun RPC's client over UDP, 124 calls among millions of entries, was not seen at all. Measured: such an entry costs 9 ns,
// and 270 ns when it notes twenty values: at most 17 us for all of a function's, once in each thread.
inline constexpr uint32_t first_entries = 64;
inline constexpr uint32_t burst_entries = 8;
inline constexpr uint32_t mean_gap_entries = 16384;
// A place that was noted so often is known; a body that notes may be a loop that runs as long as the program.
inline constexpr uint64_t notes_at_most = 65536;

struct Frame {
    uint64_t address;  // of the function's frame that holds the loop
    uint32_t site;
    uint32_t event;
    uint32_t count;  // targets noted
    uint32_t position;  // of the handler that runs
    uint32_t handler;
    bool truncated;
    bool is_trigger;
    raw::Phase phase;
    raw::Target targets[raw::targets_per_sequence];
};

// Which symbol an address is in: the same few come again and again.
struct CachedPlace {
    uint64_t address;
    Place place;
    uint32_t function;  // as a raw::Target names it, once `asked`
    bool asked;
};
inline constexpr uint32_t place_cache_size = 256;

struct Thread {
    Thread *next_free;
    int32_t *countdown;  // the thread's thalweg_probe_countdown
    int32_t *entry_countdown;  // the thread's thalweg_probe_entry_countdown
    Tables tables;
    const SymbolMap *symbols;
    bool all;  // `record --exact`
    bool busy;  // the recorder itself runs: a signal handler's raise must wait outside
    uint32_t mode;
    uint32_t previous_event;
    uint32_t depth;
    uint32_t burst_left;
    uint32_t overrun_left;
    uint32_t burst_depth;
    uint32_t entry_burst_left;
    LastCall last_call;
    CallTimer call_timer;
    uint64_t random;
    CachedPlace places[place_cache_size];
    Frame frames[depth_at_most];
};

// As probe_abi.h says; the countdown is set by them.
int enter(Thread &thread, uint32_t site, const thalweg_core *core, uint64_t frame_address);
int enter_trigger(Thread &thread, uint32_t site, const thalweg_node_head *node, uint64_t frame_address);
int enter_wait(Thread &thread, uint32_t site, uint64_t function, uint64_t frame_address);
// `stack` is the caller's stack pointer: a frame below it is gone.
void target(Thread &thread, uint32_t ordinal, uint64_t function, uint64_t context, uint64_t stack);
void leave(Thread &thread, uint32_t site, uint64_t stack);
// A function with generic code is entered.
struct Entered {
    bool notes = false;  // it is to run the body that notes values
    bool known = false;  // it need not ask any more between the samples
};
Entered enter_function(Thread &thread, uint32_t function);
// False: the place is to be noted no more.
bool note(Thread &thread, uint32_t place, uint64_t value, bool is_pointer);
// The thread ends or the process does: what is left of the gap did not run.
void close_gap(Thread &thread);

}  // namespace thalweg::recorder
