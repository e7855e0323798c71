// recorder: how long system calls take and the program's own code between them, of some calls.
#pragma once

#include <cstdint>

namespace thalweg::recorder {

// Three readings of the clock are for one timed call (where the call before returns, where it is entered, where it returns), 20 to 60 ns
// each in a virtual machine: one in 64 adds some 2 ns to every call. A thread's first ones are all timed, so that a short run has times too.
inline constexpr uint32_t timed_at_first = 256;
inline constexpr uint32_t mean_gap_calls = 64;
// A clock that takes longer to read (it enters the kernel, and some hypervisor's besides) would cost more than 10 ns a call: there is none.
inline constexpr uint64_t clock_cost_at_most_ns = 250;

struct CallClock {
    bool usable;
    uint64_t cost_ns;  // between two readings in a row, part of each time that is measured
};
// By the times of readings in a row. One whose steps are longer than a reading shows the same time twice, and is of no use.
CallClock clock_of(const uint64_t *readings, uint32_t count);
// Reads this machine's.
CallClock call_clock();
uint64_t call_clock_ns();

struct CallTimes {
    bool any;
    uint64_t between_ns;  // from the return of the call before to the entry
    bool returned;
    uint64_t inside_ns;  // from the entry to the return
};

// Which ones are timed: the first, then some, pseudo-randomly, so that no period of the program can hide in them.
struct Turns {
    uint32_t begun;  // of those at first
    uint32_t gap;  // until the next
    uint64_t random;
};
// For how many the one stands whose turn it is, the first so many among them; 0: it is not its turn.
uint32_t take_turn(Turns &turns, uint32_t at_first);

// Of a thread: what was timed and not yet counted.
struct CallTimer {
    Turns turns;
    bool is_returned;  // the last call's return was timed
    bool is_entered;
    uint32_t site;  // that was entered
    uint64_t returned_ns;
    uint64_t entered_ns;
};

// A call came back, at a time that does not matter: is the next one's way here to be timed?
bool times_next(CallTimer &timer);
void returned(CallTimer &timer, uint64_t now_ns);
void entered(CallTimer &timer, uint32_t site, uint64_t now_ns);
// What is known of the call at `site`, which returned at this time; 0: it has not returned yet. What was noted is forgotten.
CallTimes take_times(CallTimer &timer, uint32_t site, uint64_t now_ns, const CallClock &clock);

}  // namespace thalweg::recorder
