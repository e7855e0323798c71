// examples: counts raises and measures the time in handlers
#include "composite/meter.h"

#include <algorithm>
#include <array>
#include <chrono>

namespace composite {
namespace {

template <class Unit>
std::uint64_t now() {
    const auto since = std::chrono::steady_clock::now().time_since_epoch();
    return static_cast<std::uint64_t>(std::chrono::duration_cast<Unit>(since).count());
}

constexpr std::uint64_t kNotTimed = UINT64_MAX;

}  // namespace

std::uint64_t now_us() { return now<std::chrono::microseconds>(); }
std::uint64_t now_ns() { return now<std::chrono::nanoseconds>(); }

Meter::~Meter() {
    for (EventMeter *event : events_) {
        delete event;
    }
}

EventMeter *Meter::add(const char *name) {
    if (!on_) {
        return nullptr;
    }
    events_.push_back(new EventMeter{name});
    return events_.back();
}

std::uint64_t Meter::enter(EventMeter &event) {
    ++event.raises;
    const bool outermost = depth_++ == 0;
    const bool timed = only_event_.empty() ? outermost : event.name == only_event_;
    return timed ? now_ns() : kNotTimed;
}

void Meter::leave(EventMeter &event, std::uint64_t started_ns) {
    --depth_;
    if (started_ns != kNotTimed) {
        event.ns += now_ns() - started_ns;
        ++event.timed_raises;
    }
}

double Meter::clock_ns() {
    std::array<std::uint64_t, 1001> costs;
    for (std::uint64_t &cost : costs) {
        const std::uint64_t start = now_ns();
        cost = now_ns() - start;
    }
    std::nth_element(costs.begin(), costs.begin() + costs.size() / 2, costs.end());
    return static_cast<double>(costs[costs.size() / 2]);
}

}  // namespace composite
