// measure: what `perf script` prints of a recording: samples with their callers.
#pragma once

#include <string_view>

#include "base/result.h"
#include "model/functions.h"

namespace thalweg::measure {

// What the reader wants: `perf script -F` with this, `--no-inline` and `--no-demangle`.
inline constexpr std::string_view perf_script_fields = "comm,pid,tid,time,period,ip,sym,dso";

// Fills in functions, nodes, threads and samples. A sample that can't be understood is left out, and `problems` says how many.
Status read_perf_script(std::string_view text, model::FunctionProfile &profile);

}  // namespace thalweg::measure
