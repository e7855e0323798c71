// record: what perf wrote down of a program's system calls: `perf script` of the tracepoints raw_syscalls or syscalls.
#pragma once

#include <string_view>

#include "record/traced_call.h"

namespace thalweg::record {

// Any text; it is an error if not a single system call of it has its entry and its exit. Numbers of calls are x86-64's.
Result<Trace> read_perf_trace(std::string_view text);

}  // namespace thalweg::record
