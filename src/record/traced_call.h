// record: system calls of a program that was not built by us, as another tool wrote them down, and the profile of them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/profile.h"

namespace thalweg::record {

struct TracedCall {
    uint64_t thread = 0;  // 0: the trace is of one thread, and does not say which
    std::string name;  // as the kernel calls it
    std::vector<std::string> arguments;
    std::optional<int64_t> result;  // none: it did not come back
    std::string caller;  // "main+0x1f", of the program's own code; empty: the trace has no stacks
    std::optional<uint64_t> begun_ns;  // since any moment, the same for all calls of a trace
    std::optional<uint64_t> ended_ns;
};

struct Trace {
    model::CallClock clock = model::CallClock::none;  // whose times these are
    std::string program;  // if no execve tells it
    std::vector<TracedCall> calls;  // in the order in which they ended
    uint64_t unknown_lines = 0;
    uint64_t first_unknown_line = 0;  // counted from 1
};

// A node for each call at each place that calls it; without stacks, for each kind of call.
Result<model::Profile> profile_of_trace(const Trace &trace);

// Whether a stack's frame in this file of the program's memory is of what stands between the program and the kernel.
bool is_between_program_and_kernel(std::string_view path);

}  // namespace thalweg::record
