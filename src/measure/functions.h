// measure: one run of a program in our place, and in which of its functions it spent the time.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "model/functions.h"

namespace thalweg::measure {

enum class ProfilingTool { whichever_works, perf, callgrind };

struct FunctionsRequest {
    std::vector<std::string> command;  // command[0] is searched in PATH when it has no slash
    ProfilingTool tool = ProfilingTool::whichever_works;  // perf, else callgrind
};

// perf looks at the program 999 times a second: often enough for a run of a second, and not in step with a clock's ticks.
inline constexpr unsigned samples_per_second = 999;
// Of each sample's stack, for callers' frames are found in it: of GCC's compiler for C++ the outermost callers are in 99.7 % of the
// samples, with perf's own 8,192 in 96 %. What is kept is written to disk, at most 16 MB a second.
inline constexpr unsigned stack_bytes = 16384;

// Why perf can't be used here, in its own words; empty: it can.
std::string why_no_perf();

// Which functions are the C library's for system calls, by their names.
void note_system_calls(model::FunctionProfile &profile);

// Input, output and signals are the program's own; perf hardly slows it down, callgrind makes it some 50 times slower.
Result<model::FunctionProfile> run_functions(const FunctionsRequest &request);

}  // namespace thalweg::measure
