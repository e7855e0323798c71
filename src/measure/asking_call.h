// measure: calls by which a program asks without waiting: what a busy-wait is made of.
#pragma once

#include <array>
#include <cstdint>

#include <sys/types.h>

#include "measure/call_counts.h"

namespace thalweg::measure {

struct CallStart {
    CallKey key;
    std::array<uint64_t, 6> arguments{};
};

// Gave up the processor, or asked with a time limit of zero; `thread` has just begun the call and stands still.
bool asks_without_waiting(pid_t thread, const CallStart &call);

}  // namespace thalweg::measure
