// recorder: how long dispatches take, of some of those that are noted.
#include "recorder/dispatch_timer.h"

namespace thalweg::recorder {

uint64_t take_part(SampleTimes &sample) {
    constexpr uint64_t share_of_first = 8;
    const uint64_t first = (sample.passed + share_of_first - 1) / share_of_first;
    const uint64_t parts[parts_of_sample + 1] = {first, sample.passed - first, 0};
    const uint64_t part = parts[sample.taken];
    sample.taken += sample.taken < parts_of_sample ? 1 : 0;
    return part;
}

int64_t cost_of(int64_t (&times)[nothings]) {
    for (uint32_t i = 1; i < nothings; ++i)
        for (uint32_t at = i; at > 0 && times[at] < times[at - 1]; --at) {
            const int64_t shorter = times[at];
            times[at] = times[at - 1];
            times[at - 1] = shorter;
        }
    return times[nothings / 2];
}

void pause(DispatchTimer &timer, uint64_t now_ns) {
    if (!timer.runs)
        return;
    timer.runs = false;
    timer.paused_ns = now_ns;
    const int64_t time_ns = static_cast<int64_t>(now_ns - timer.resumed_ns) - timer.cost_ns;
    timer.ran_ns += time_ns;
    timer.longest_ns = time_ns > timer.longest_ns ? time_ns : timer.longest_ns;
}

void resume(DispatchTimer &timer, uint64_t now_ns) {
    timer.runs = true;
    timer.resumed_ns = now_ns;
}

bool estimates_note(DispatchTimer &timer) {
    if (timer.notes.inside < pauses_measured) {
        ++timer.notes.inside;
        return false;
    }
    timer.notes.turn = (timer.notes.turn + 1) % mean_gap_pauses;
    return timer.notes.turn != 0;
}

// A pause that is measured holds one reading of the clock, and its ends another, which is in the cost: this one has neither.
void pass_over_note(DispatchTimer &timer) {
    const int64_t time_ns = timer.notes.mean_ns + timer.cost_ns - 2 * timer.reading_ns;
    timer.ran_ns -= time_ns > 0 ? time_ns : 0;
}

void learn_note(DispatchTimer &timer) {
    constexpr int64_t share_of_last = 8;
    NotePauses &notes = timer.notes;
    int64_t time_ns = static_cast<int64_t>(timer.resumed_ns - timer.paused_ns);
    if (notes.measured >= pauses_measured && time_ns > pause_at_most * notes.mean_ns)
        time_ns = pause_at_most * notes.mean_ns;
    notes.mean_ns = notes.measured == 0 ? time_ns : notes.mean_ns + (time_ns - notes.mean_ns) / share_of_last;
    notes.measured += notes.measured < pauses_measured ? 1 : 0;
}

void take_off_preemption(DispatchTimer &timer, const Usage &now) {
    const Usage &last = timer.last;
    if (now.preempted != last.preempted && now.waited == last.waited) {
        const auto elsewhere_ns =
            static_cast<int64_t>(now.clock_ns - last.clock_ns) - static_cast<int64_t>(now.cpu_ns - last.cpu_ns);
        const int64_t taken_ns = elsewhere_ns < timer.longest_ns ? elsewhere_ns : timer.longest_ns;
        timer.ran_ns -= taken_ns > 0 ? taken_ns : 0;
    }
    timer.last = now;
    timer.longest_ns = 0;
}

Timing begin_timing(DispatchTimer &timer, uint32_t depth) {
    const uint64_t stands_for = timer.is_usable ? timer.stands_for : 0;
    timer.stands_for = 0;
    timer.asks_cost = stands_for != 0;
    if (stands_for != 0 && timer.open_depth == 0) {
        timer.open_depth = depth;
        timer.notes.inside = 0;
    }
    return {stands_for, timer.ran_ns};
}

int64_t time_of(const DispatchTimer &timer, const Timing &timing) { return timer.ran_ns - timing.begun_ns; }

void close_timings(DispatchTimer &timer, uint32_t depth) {
    if (depth >= timer.open_depth)
        return;
    timer.open_depth = 0;
    timer.longest_ns = 0;
}

}  // namespace thalweg::recorder
