// measure: what valgrind's callgrind writes: costs of functions, told apart by their callers.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/result.h"
#include "model/functions.h"

namespace thalweg::measure {

// What the reader wants of `--separate-callers`: a function's cost is kept for each chain of so many callers. At 24 the file of
// a Python that imports two modules has 30 MB, and the run takes twice as long as without; at 48 it has 57 MB.
inline constexpr uint32_t callers_kept = 24;

// Adds to functions and nodes: a program that starts others leaves a file for each.
Status read_callgrind(std::string_view text, model::FunctionProfile &profile);

}  // namespace thalweg::measure
