// driver: the source of the functions that an outcome speaks of, as it is on disk now.
#pragma once

#include <string>

#include "model/plan.h"
#include "report/layers.h"

namespace thalweg::driver {

// A file that is not there, or was changed after the outcome (`outcome_path`) or the program was made, has no lines and says so.
report::Sources read_sources(const model::Outcome &outcome, const std::string &outcome_path,
                             const std::string &program);

}  // namespace thalweg::driver
