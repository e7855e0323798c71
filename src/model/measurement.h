// model: how long two programs took, side by side, and what can be concluded from it. JSON (docs/formats/verdict.md).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"

namespace thalweg::model {

// What the kernel says of one run of a program and of the children that it waited for.
struct RunTimes {
    double wall_s = 0;
    double user_s = 0;
    double system_s = 0;
    uint64_t max_rss_kib = 0;
    double queued_s =
        0;  // its first thread could have run, and no processor was free; 0 also where the kernel does not tell
    bool operator==(const RunTimes &) const = default;
};

// A median with the interval that holds the true median with probability `confidence`.
struct Estimate {
    double median = 0;
    double low = 0;
    double high = 0;
    double confidence = 0;  // 0.95 or more, or less where the runs are too few for it (six are needed)
    uint32_t n = 0;
    bool operator==(const Estimate &) const = default;
};

// Two programs, run in turn on one input. Each round runs the original, the original again and the candidate; the ratios
// are taken within a round, so that whatever slows the whole machine for a while slows both sides.
struct Measurement {
    std::string original;
    std::string candidate;
    std::string command;  // arguments or driver, as given
    std::vector<RunTimes> original_runs;
    std::vector<RunTimes> again_runs;  // the original a second time in the same round
    std::vector<RunTimes> candidate_runs;
    Estimate wall_ratio;  // candidate / original
    Estimate wall_noise;  // original again / original: what the machine does to two runs of one program
    Estimate cpu_ratio;  // the same of user + system time
    Estimate cpu_noise;
    // In user mode, counted in one more run of each (cachegrind); 0: not counted.
    uint64_t original_instructions = 0;
    uint64_t candidate_instructions = 0;
    bool operator==(const Measurement &) const = default;
};

}  // namespace thalweg::model
