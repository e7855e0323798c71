// driver: the units of a program made ready, each by itself, for a link by ThinLTO.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "base/temporary.h"
#include "job/job.h"
#include "link/link_record.h"
#include "model/plan.h"

namespace thalweg::driver {

struct UnitsMade {
    std::vector<std::string> words;  // of the link (RelinkRequest::thin); files in the scratch folder
    model::Outcome
        outcome;  // numbers of all units added up; what the first one has that lets floating point depend on more than its operands
    bool computes_as_built =
        false;  // for that: each unit has had its own build's passes, and needs no more (RelinkRequest::is_optimised)
};

// Each unit goes through LLVM's `opt` with our plug-in, which gets `job` (count_unit, optimize_unit), as many at a time as there are processors. A shared
// library is refused: what computes in it has to stay apart (ir/rounding.h), which ThinLTO is not told.
Result<UnitsMade> make_units(const link::LinkedProgram &program, job::TransformJob job, const TemporaryFolder &scratch);

}  // namespace thalweg::driver
