// record: system calls of a program that was not built by us, as strace wrote them down.
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
    std::string caller;  // "main+0x1f", of the program's own code; empty: the trace has no stacks (strace -k)
};

struct Trace {
    std::vector<TracedCall> calls;  // in the order in which they ended
    uint64_t unknown_lines = 0;
};

// Any text; it is an error if not a single line of it is a system call.
Result<Trace> read_strace(std::string_view text);

// A node for each call at each place that calls it; without stacks, for each kind of call.
Result<model::Profile> profile_of_trace(const Trace &trace);

}  // namespace thalweg::record
