// report: a run's functions for other tools: flame graphs, callgrind's viewers, pprof, trace viewers, graphviz, spreadsheets.
#pragma once

#include <string>

#include "model/functions.h"
#include "model/graphs.h"

namespace thalweg::report {

// A line for each stack, "main;work;leaf 123": flamegraph.pl, inferno, speedscope.
std::string folded_stacks(const model::FunctionProfile &run);
// callgrind_annotate, KCachegrind. Of perf's runs the number of calls is not known, and 0. These add what a function's callees cost to its
// own, so that the calls of a function by itself cost nothing here: their cost is in it already.
std::string callgrind_file(const model::FunctionProfile &run, const model::CallGraph &graph);
// `go tool pprof`: its profile.proto, not compressed.
std::string pprof_profile(const model::FunctionProfile &run);
// Perfetto, chrome://tracing, speedscope. Without times (callgrind) all stacks side by side, an instruction as a nanosecond.
std::string chrome_trace(const model::FunctionProfile &run);
std::string dot_calls(const model::FunctionProfile &run, const model::CallGraph &graph);
std::string csv_functions(const model::FunctionProfile &run, const model::CallGraph &graph);
std::string csv_calls(const model::FunctionProfile &run, const model::CallGraph &graph);

}  // namespace thalweg::report
