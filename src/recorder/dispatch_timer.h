// recorder: how long dispatches take, of some of those that are noted.
#pragma once

#include <cstdint>

#include "recorder/call_timer.h"

namespace thalweg::recorder {

// While all dispatches are noted, of each slot so many are timed whenever they come, each of which stands for itself, and of the others one in
// mean_gap_calls. A timed one costs some 1.5 us, so where there are thousands of slots (a list in each object) only so many first ones are, and
// this share of those that are noted: 0.8 ms once in each thread, and a tenth of what noting costs.
inline constexpr uint32_t timed_dispatches = 8;
inline constexpr uint64_t timed_freely = 512;
inline constexpr uint64_t timed_share = 64;
// Nor is a sample timed that stands for fewer: 3 us for so many cost 3 ns of each.
inline constexpr uint64_t timed_gap_dispatches = 1024;
// A sample times the first two of its slot's dispatches. Most of what passed before it goes to the second: the first finds the recorder's own
// code in no cache, and that would be taken for its time.
inline constexpr uint32_t parts_of_sample = 2;
struct SampleTimes {
    uint64_t passed;
    uint32_t taken;
};
// For how many the next one stands; 0: it is not timed.
uint64_t take_part(SampleTimes &sample);

// What the kernel says of the thread, and when.
struct Usage {
    uint64_t clock_ns;
    uint64_t cpu_ns;
    int64_t preempted;  // so often others took its processor
    int64_t waited;  // so often it gave it up
};

// To note a value or a handler takes little more than to read the clock twice, and a dispatch that is all of a program's run may have a million notes
// inside: after some inside of it that were measured, one in so many is, and the others are taken for as long. That is some ns off, so of a small
// dispatch, which may take no more itself, all are.
inline constexpr uint32_t pauses_measured = 64;
inline constexpr uint32_t mean_gap_pauses = 16;
// What grows a table takes a thousand times as long, and is not what the next one takes.
inline constexpr int64_t pause_at_most = 4;
struct NotePauses {
    uint32_t inside;  // of the outermost dispatch that is timed, those that are measured at first
    uint32_t measured;
    uint32_t turn;
    int64_t mean_ns;  // of the last ones, each an eighth of what is left
};

// The clock stands still while the recorder itself runs: a handler of 10 ns is not to look like the probes around it.
struct DispatchTimer {
    bool is_usable;
    bool asks_cost;  // one begins to be timed
    int64_t cost_ns;  // between two of the recorder's calls, when the program does nothing
    int64_t reading_ns;  // of the clock
    uint64_t paused_ns;
    NotePauses notes;
    Turns turns;  // of dispatches that are noted because all are
    uint64_t first;  // so many were timed that came early
    SampleTimes sample;
    uint64_t stands_for;  // the dispatch that is about to be entered, for so many; 0: it is not timed
    uint32_t open_depth;  // of the outermost dispatch that is timed, counted from 1; 0: none is
    bool runs;
    uint64_t resumed_ns;
    int64_t ran_ns;
    int64_t longest_ns;  // between two of the recorder's calls, since `last`
    Usage last;
};

inline bool is_timing(const DispatchTimer &timer) { return timer.open_depth != 0; }
void pause(DispatchTimer &timer, uint64_t now_ns);
void resume(DispatchTimer &timer, uint64_t now_ns);
// Whether the note that begins is not to be measured: the clock goes on meanwhile, and then it is passed over.
bool estimates_note(DispatchTimer &timer);
void pass_over_note(DispatchTimer &timer);
// The clock has just gone on behind a note.
void learn_note(DispatchTimer &timer);
// The cost is measured anew for each dispatch that is timed, just before it goes on: it depends on what else the processor does.
inline constexpr uint32_t nothings = 9;
// The median, which is what it most often is; sorts them.
int64_t cost_of(int64_t (&times)[nothings]);

// A thread that was preempted once in a million dispatches would seem to have spent all of its time in that one: what others had the processor
// for since this was last asked is taken off, but for more than the time that it can have been part of. What a handler waits for stays.
void take_off_preemption(DispatchTimer &timer, const Usage &now);

// Of a dispatch that is timed. Both while the clock stands still.
struct Timing {
    uint64_t stands_for;  // 0: it is not timed
    int64_t begun_ns;
};
// It is entered, the `depth`th from the outside.
Timing begin_timing(DispatchTimer &timer, uint32_t depth);
// How long it took; of one that takes next to nothing that may be less than nothing, so that the mean of many is right.
int64_t time_of(const DispatchTimer &timer, const Timing &timing);
// So many dispatches are left open, after some have ended or were left by an exception.
void close_timings(DispatchTimer &timer, uint32_t depth);

}  // namespace thalweg::recorder
