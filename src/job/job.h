// job: what the command line asks of the plug-in. JSON (docs/formats/job.md).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"

namespace thalweg::job {

// A cache line of every x86-64 processor.
inline constexpr uint32_t bytes_of_line = 64;

// Where a function of the program that was built begins in a cache line.
struct FunctionPlace {
    std::string function;  // linker name
    uint32_t offset = 0;
    bool operator==(const FunctionPlace &) const = default;
};

// What the command line asks of the plug-in; its path is handed over in THALWEG_TRANSFORM_JOB.
struct TransformJob {
    // object: nothing but the function that the plan's one decision specialises, under the name `object_symbol`.
    // trial: what optimize would make of each decision is told, and no program is made.
    // count_unit, optimize_unit: a unit of a program that is linked by ThinLTO gets LLVM's own counters, or their counts.
    enum class Mode { probe, optimize, trial, object, count_unit, optimize_unit };
    Mode mode = Mode::probe;
    std::string plan_path;  // optimize, trial, object
    std::vector<uint32_t> only_decisions;  // optimize; empty: all
    bool count_guards = false;  // optimize: the result is to be recorded
    std::string site_table_path;  // probe: written
    std::string outcome_path;  // all but probe: written
    double instruction_ns =
        0;  // trial, optimize: what an executed instruction takes; 0: what a decision saves of the run is not asked
    // optimize: nobody has read the plan. What could not be made is not asked for any more, and the plan without it is put into the program; where
    // something was made that saves too little, the link ends with the outcome.
    bool settles = false;
    // optimize, trial: LLVM's text of a profile; empty: nothing was counted. optimize_unit: an indexed profile.
    std::string counts_path;
    std::string object_symbol;  // object
    bool remarks = false;
    std::vector<FunctionPlace> places;  // optimize: of the program's functions that have a name of their own
    std::vector<std::string> called_elsewhere;  // optimize: functions that the program's code without bitcode calls
    // It is a shared library: the loader may take another function or variable for one that it exports.
    bool is_library = false;
    bool links_cxx = false;  // count_unit, optimize_unit: another unit may catch what passes through this one
    // count_unit, optimize_unit: another unit may change how floating point is computed, so this one gets its own build's passes and nothing else.
    bool computes_as_built = false;
    std::string
        recording_part;  // where a twin is made: the folder in that of the recording for its files; empty: that folder itself
    bool operator==(const TransformJob &) const = default;
};

Status validate(const TransformJob &job);
std::string write_job(const TransformJob &job);
Result<TransformJob> read_job(const std::string &text);

}  // namespace thalweg::job
