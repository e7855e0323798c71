// recorder: how long system calls take and the program's own code between them, of some calls.
#include "recorder/call_timer.h"

#include <time.h>

namespace thalweg::recorder {

namespace {

// The shortest of so many steps is one that nothing came between.
constexpr uint32_t readings_in_a_row = 32;

uint64_t without(uint64_t time_ns, const CallClock &clock) {
    return time_ns > clock.cost_ns ? time_ns - clock.cost_ns : 0;
}

}  // namespace

CallClock clock_of(const uint64_t *readings, uint32_t count) {
    uint64_t least = UINT64_MAX;
    for (uint32_t i = 1; i < count; ++i) {
        const uint64_t step = readings[i] >= readings[i - 1] ? readings[i] - readings[i - 1] : 0;
        least = step < least ? step : least;
    }
    return {least != 0 && least <= clock_cost_at_most_ns, least};
}

uint64_t call_clock_ns() {
    timespec time{};
    if (clock_gettime(CLOCK_MONOTONIC, &time) != 0)
        return 0;
    return static_cast<uint64_t>(time.tv_sec) * 1000000000u + static_cast<uint64_t>(time.tv_nsec);
}

CallClock call_clock() {
    uint64_t readings[readings_in_a_row];
    for (uint64_t &reading : readings)
        reading = call_clock_ns();
    return clock_of(readings, readings_in_a_row);
}

uint32_t take_turn(Turns &turns, uint32_t at_first) {
    if (turns.begun < at_first) {
        ++turns.begun;
        return 1;
    }
    if (turns.gap > 0) {
        --turns.gap;
        return 0;
    }
    // Knuth's MMIX generator; its upper bits are the random ones.
    turns.random = turns.random * 6364136223846793005u + 1442695040888963407u;
    turns.gap = mean_gap_calls / 2 + static_cast<uint32_t>(turns.random >> 33) % mean_gap_calls;
    return mean_gap_calls;
}

bool times_next(CallTimer &timer) { return take_turn(timer.turns, timed_at_first) != 0; }

void returned(CallTimer &timer, uint64_t now_ns) {
    timer.is_returned = true;
    timer.returned_ns = now_ns;
}

void entered(CallTimer &timer, uint32_t site, uint64_t now_ns) {
    timer.is_entered = true;
    timer.site = site;
    timer.entered_ns = now_ns;
}

CallTimes take_times(CallTimer &timer, uint32_t site, uint64_t now_ns, const CallClock &clock) {
    // A signal's handler that came in between has calls of its own, and a call that was left by a jump is never told of.
    const bool fits = timer.is_returned && timer.is_entered && timer.site == site;
    const uint64_t returned_ns = timer.returned_ns, entered_ns = timer.entered_ns;
    timer.is_returned = timer.is_entered = false;
    if (!fits || entered_ns < returned_ns)
        return {};
    const bool has_returned = now_ns != 0 && now_ns >= entered_ns;
    return {true, without(entered_ns - returned_ns, clock), has_returned,
            has_returned ? without(now_ns - entered_ns, clock) : 0};
}

}  // namespace thalweg::recorder
