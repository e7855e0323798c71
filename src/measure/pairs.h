// measure: two programs, run in turn on the same input.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "measure/child.h"
#include "model/measurement.h"

namespace thalweg::measure {

// Enough for a 95 % interval that leaves out the extreme of either side (ten samples: second to ninth).
inline constexpr uint32_t default_rounds = 10;
// Where these leave open which is faster, twice as many follow, and twice as many again: the interval of four times the rounds is half as wide.
inline constexpr uint32_t most_rounds = 4 * default_rounds;
// More rounds than `default_rounds` only within so much time: as long as the first ten rounds of a run of two seconds take.
inline constexpr double patience_s = 60;

struct PairOptions {
    std::string original;
    std::string candidate;
    std::string name;  // what both are told as their own, argv[0]; empty: the original's path
    std::vector<std::string> arguments;  // of the programs, or (driver) a command that runs them
    // The arguments are a command of its own, run with THALWEG_PROGRAM naming the program and each "{}" replaced by it.
    bool driver = false;
    std::vector<std::string> files;  // written by the program; put back as they were before each run
    std::string stdin_path;
    // Added to ours: each side may load other shared libraries.
    std::vector<std::pair<std::string, std::string>> original_environment = {};
    std::vector<std::pair<std::string, std::string>> candidate_environment = {};
    uint32_t rounds = 0;  // 0: `default_rounds`, and up to `most_rounds` where these leave open which is faster
    double timeout_s = 0;
    std::string directory;  // for captured output; exists, is ours
};

enum class Side { original, again, candidate };

// One finished run, as whoever judges it sees it; the two files are gone or overwritten afterwards.
struct ObservedRun {
    Side side = Side::original;
    uint32_t round = 0;  // 1, 2, ...
    std::string ending;
    std::string stdout_path;
    std::string stderr_path;
};

// Returns false to stop: what follows is not worth its time.
using Observer = std::function<bool(const ObservedRun &)>;

// Asked of what was measured so far, where `rounds` is 0. True: more rounds are not needed; so is none of these at all.
using Decided = std::function<bool(const model::Measurement &)>;

// One run of the original that nobody measures or sees.
Status run_original(const PairOptions &options);

// Counts the instructions of one more run of each into `measurement`. The files that they write are as they were afterwards.
Status count_instructions(const PairOptions &options, model::Measurement &measurement);

Result<model::Measurement> measure_pairs(const PairOptions &options, const Observer &observe,
                                         const Decided &decided = {});

}  // namespace thalweg::measure
