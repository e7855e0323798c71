// record: several profiles of one build, made into one.
#pragma once

#include <vector>

#include "base/result.h"
#include "model/profile.h"

namespace thalweg::record {

// The union: weights added, events, sites and symbols matched by their keys. Does not depend on the order of the parts.
Result<model::Profile> merge(const std::vector<model::Profile> &profiles);

}  // namespace thalweg::record
