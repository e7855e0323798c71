// driver: what does not pay in the user's own run is taken out of the program again (DESIGN, law 9).
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "driver/comparing.h"
#include "driver/optimizing.h"
#include "model/verdict.h"
#include "report/summary.h"

namespace thalweg::driver {

struct PayingRequest {
    // Its plan is made from its profile, and written: what was taken out, and what the code did not allow, is refused there, with the reason.
    OptimizeRequest optimize;
    ComparisonOptions comparison;  // of the original and `optimize.output`
    bool keeps_all = false;  // what does not pay stays
};

struct Paying {
    bool fits = true;  // false: there were decisions, and none could be applied; nothing was measured
    Optimized optimized;  // what stands in `optimize.output`
    model::Comparison comparison;  // of the original and that
    std::vector<report::MeasuredPart> parts;  // in the order in which they were measured
    LibraryFiles libraries;  // that were recorded with the program, and what stands in libraries_folder
};

// Where the shared libraries of an optimised program are put.
std::string libraries_folder(const std::string &output);

// Links the program with all decisions of the plan. Then each kind of crossing (lines of events, layers, kept results, system calls), that
// with the smallest predicted gain first, is measured by itself: the program with what is kept so far against the same without these. Where
// it isn't faster beyond noise, they are taken out. At last the original is compared with what is left.
Result<Paying> keep_what_pays(const PayingRequest &request);

}  // namespace thalweg::driver
