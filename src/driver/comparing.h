// driver: two programs compared once, for `compare` and for `bisect`.
#pragma once

#include <string>

#include "base/result.h"
#include "driver/kept_input.h"
#include "driver/libraries.h"
#include "measure/pairs.h"
#include "model/verdict.h"

namespace thalweg::driver {

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

// Every run reads `input` from now on. What comes from a pipe is kept during a run of the original that isn't measured.
Status read_input(ComparisonOptions &options, KeptInput &input);

Result<model::Comparison> compare_programs(ComparisonOptions options);

}  // namespace thalweg::driver
