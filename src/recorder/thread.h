// recorder: what one thread has going on: the dispatches it is in, and when it samples.
#pragma once

#include <cstdint>

#include "recorder/call_timer.h"
#include "recorder/dispatch_timer.h"
#include "recorder/symbols.h"
#include "recorder/system_call.h"
#include "recorder/tables.h"

struct thalweg_core;
struct thalweg_node_head;

namespace thalweg::recorder {

// Law 7. The first dispatches of a thread are all noted: a run of some 10,000 raises is known exactly.
inline constexpr uint64_t exact_dispatches = 16384;
// Later each slot (raw::Slot) counts all of its dispatches; of these its first ones are noted, whenever they come, and then samples. So an
// event, a list or a phase that comes late is seen. Noting one costs about 100 ns: at most 7 us for a slot's first ones, once in each thread.
inline constexpr uint32_t first_dispatches = 64;
// A sample is a burst of consecutive dispatches, of all slots (edges and nestings need neighbours), with gaps of pseudo-random length, so
// that no period of the program can hide in them. One in 1,024 keeps the cost of sampling at some 2 % of a loop that does nothing else.
inline constexpr uint32_t burst_dispatches = raw::dispatches_of_a_sample;
inline constexpr uint32_t mean_gap_dispatches = 65536;
// Until a slot's gaps are that long they grow with what it has counted, to a quarter of it: at a place that is busy already a new phase is seen
// once it makes up that share of it. Its bursts are short till then: 29 of them, 1 in 500 of its first 262,144 dispatches.
inline constexpr uint32_t least_gap_dispatches = 256;
inline constexpr uint64_t young_gap_share = 4;
inline constexpr uint32_t young_burst_dispatches = 16;
// A program may have a list in each of a million objects, and a slot for each of thousands of these: all of their first ones would be a quarter of
// what it dispatches (cJSON's driver: 1.4 times its time). Beyond this many that were noted, and this share of all that passed, a slot's first
// ones are few, without their neighbours, and its gaps long from the first on.
inline constexpr uint64_t noted_freely = 32768;
inline constexpr uint64_t noted_share = 64;
inline constexpr uint32_t first_dispatches_of_many = 2;
// Around one of a slot's first ones its neighbours are noted, too; around the very first a whole burst.
inline constexpr uint32_t first_burst_dispatches = 4;
// What passed unnoted before a sample is shared out among this many of the sample's own dispatches at least.
inline constexpr uint64_t attributed_share = 8;
// A burst goes on until the dispatch that it is in has ended, but not for ever: a main loop can be a dispatch too.
inline constexpr uint32_t overrun_dispatches = 256;
// Deeper nesting is counted as lost.
inline constexpr uint32_t depth_at_most = 64;

// Entries of functions with generic code are all counted, too, by one slot a function, and sampled for what they note: an entry that notes
// twenty values costs some 300 ns, an empty one 5: 8 in 16,384 cost 3 % of a program that does nothing else.
inline constexpr uint64_t exact_entries = 4096;
// Of each function so many are noted whenever they come: one that runs now and then in a thread that has long been busy with others would
// meet no sample. Sun RPC's client over UDP, 124 calls among millions of entries, was not seen at all. Measured: such an entry costs 9 ns,
// and 270 ns when it notes twenty values: at most 17 us for all of a function's, once in each thread.
inline constexpr uint32_t first_entries = 64;
inline constexpr uint32_t burst_entries = 8;
inline constexpr uint32_t mean_gap_entries = 16384;
// A place that was noted so often is known; a body that notes may be a loop that runs as long as the program.
inline constexpr uint64_t notes_at_most = 16384;

struct Frame {
    uint64_t address;  // of the function's frame that holds the loop
    uint32_t site;
    uint32_t event;
    uint32_t count;  // targets noted
    uint32_t position;  // of the handler that runs
    uint32_t handler;
    bool truncated;
    bool is_trigger;
    uint32_t slot;
    bool has_unnoted;  // something may have been dispatched inside that was counted alone
    uint64_t estimated;  // dispatches that this one stands for besides itself
    Timing timing;
    int64_t inside_ns;  // while it was timed: in what was dispatched inside
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

// Of one slot, outside of the file.
struct SlotState {
    uint32_t noted;
    uint32_t sample;  // the last that attributed something
    uint64_t attributed;  // by that sample
    uint64_t gap;  // the last that was granted
};

// Where the program's code counts, and whether it asks at each dispatch (entry) now.
struct Counting {
    raw::Table table;
    SlotsPointer slots;  // the thread's thalweg_probe_slots or thalweg_probe_entries
    raw::Slot *asking;  // slots of which none counts: the program asks each time
    SlotState *states;
    uint64_t exact_left;  // of those that are noted at first
    uint64_t passed;  // through all slots together, unnoted, to the end of a gap

    bool asks(const Tables &tables) const { return *slots != tables.slots(table); }
};

struct Thread {
    Thread *next_free;
    Tables tables;
    Counting dispatches;
    Counting entries;
    const SymbolMap *symbols;
    bool all;  // `record --exact`
    bool busy;  // the recorder itself runs: a signal handler's raise must wait outside
    bool is_steady;  // the sample's neighbours are as they would be anywhere in the program
    uint32_t mode;
    uint32_t previous_event;
    uint32_t depth;
    uint32_t sample;  // their number
    uint32_t sampled_slot;  // whose turn it was
    uint32_t burst_left;
    uint32_t overrun_left;
    uint32_t burst_depth;
    uint32_t entry_burst_left;
    LastCall last_call;
    CallTimer call_timer;
    DispatchTimer timer;
    uint64_t random;
    CachedPlace places[place_cache_size];
    Frame frames[depth_at_most];
};

// A thread begins, which counts by these two variables; it may go on with what another one left.
void begin(Thread &thread, SlotsPointer dispatch_slots, SlotsPointer entry_slots);

// A dispatch that asks: where, and the slot that counts it.
struct At {
    uint32_t site;
    uint32_t slot;
    uint64_t frame_address;
};
// How long the dispatches take that go on is not known: none of them is timed any more.
void give_up_timings(Thread &thread);
// As abi/probe.h says.
int enter(Thread &thread, const At &at, const thalweg_core *core);
int enter_trigger(Thread &thread, const At &at, const thalweg_node_head *node);
int enter_wait(Thread &thread, const At &at, uint64_t function);
// Whether the innermost dispatch has run more than is kept of it: the loop may be an interpreter's, or a program's main loop, whose next million
// calls say no more. What is dispatched inside from here on is nested in nothing that is kept.
inline bool is_kept_no_more(const Thread &thread, uint64_t stack) {
    return thread.depth > 0 && thread.frames[thread.depth - 1].truncated &&
           thread.frames[thread.depth - 1].address >= stack;
}
// `stack` is the caller's stack pointer: a frame below it is gone.
void target(Thread &thread, uint32_t ordinal, uint64_t function, uint64_t context, uint64_t stack);
void leave(Thread &thread, uint32_t site, uint64_t stack);
// A function with generic code is entered. True: it is to run the body that notes values.
bool enter_function(Thread &thread, uint32_t function, uint32_t slot);
// False: the place is to be noted no more.
bool note(Thread &thread, uint32_t place, uint64_t value, bool is_pointer);

}  // namespace thalweg::recorder
