// record: what strace wrote down of a program's system calls.
#pragma once

#include <string_view>

#include "record/traced_call.h"

namespace thalweg::record {

// Any text; it is an error if not a single line of it is a system call. Times are there with -T and one of -r, -tt and -ttt.
Result<Trace> read_strace(std::string_view text);

}  // namespace thalweg::record
