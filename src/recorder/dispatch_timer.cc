// recorder: how long dispatches take, of some of those that are noted.
#include "recorder/dispatch_timer.h"

namespace thalweg::recorder {

uint64_t take_part(SampleTimes &sample) {
    constexpr uint64_t share_of_first = 8;
    const uint64_t first = (sample.passed + share_of_first - 1) / share_of_first;
    const uint64_t parts[] = {first, sample.passed - first, 0};
    const uint64_t part = parts[sample.taken];
    sample.taken += sample.taken < 2 ? 1 : 0;
    return part;
}

uint64_t cost_of(uint64_t (&times)[nothings]) {
    for (uint32_t i = 1; i < nothings; ++i)
        for (uint32_t at = i; at > 0 && times[at] < times[at - 1]; --at) {
            const uint64_t shorter = times[at];
            times[at] = times[at - 1];
            times[at - 1] = shorter;
        }
    return times[nothings / 2];
}

void pause(DispatchTimer &timer, uint64_t now_ns) {
    if (!timer.runs)
        return;
    timer.runs = false;
    if (now_ns > timer.resumed_ns + timer.cost_ns)
        timer.ran_ns += now_ns - timer.resumed_ns - timer.cost_ns;
}

void resume(DispatchTimer &timer, uint64_t now_ns) {
    timer.runs = true;
    timer.resumed_ns = now_ns;
}

Timing begin_timing(DispatchTimer &timer, uint32_t depth) {
    const uint64_t stands_for = timer.is_usable ? timer.stands_for : 0;
    timer.stands_for = 0;
    if (stands_for != 0 && timer.open_depth == 0)
        timer.open_depth = depth;
    return {stands_for, timer.ran_ns};
}

uint64_t time_of(const DispatchTimer &timer, const Timing &timing) { return timer.ran_ns - timing.begun_ns; }

void close_timings(DispatchTimer &timer, uint32_t depth) {
    if (depth < timer.open_depth)
        timer.open_depth = 0;
}

}  // namespace thalweg::recorder
