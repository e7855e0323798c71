// cli: two programs compared once, for `compare` and for `bisect`.
#pragma once

#include <string>

#include "base/result.h"
#include "cli/kept_input.h"
#include "cli/libraries.h"
#include "cli/verbs.h"
#include "measure/pairs.h"
#include "model/verdict.h"

namespace CLI {
class App;
}

namespace thalweg::cli {

inline constexpr int exit_outputs_differ = 5;
inline constexpr int exit_slower = 6;

struct ComparisonOptions {
    measure::PairOptions pair;
    std::string metric;  // empty: the one that judges this program, once it has run
    bool with_stderr = false;
    bool without_stdout = false;
    bool instructions = false;
    // What each side loads in place of its shared libraries.
    LibraryFiles original_libraries = {};
    LibraryFiles candidate_libraries = {};
};

// The options that say how the programs are run and what is compared; not which programs.
void declare_comparison(CLI::App &app, ComparisonOptions &options);
// The words behind "--", or what is wrong with them.
Status take_arguments(ComparisonOptions &options, const Words &arguments);

// Every run reads `input` from now on. What comes from a pipe is kept during a run of the original that isn't measured.
Status read_input(ComparisonOptions &options, KeptInput &input);

Result<model::Comparison> compare_programs(ComparisonOptions options);

}  // namespace thalweg::cli
