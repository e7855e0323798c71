// transform: counts the calls of the C library that print or read.
#pragma once

#include <optional>
#include <vector>

#include "llvm/IR/Module.h"

#include "model/counts.h"
#include "model/site.h"

namespace thalweg::transform {

// A counter for each of those that find_system_calls found among `calls`, in their order, as one more function among those whose blocks are counted
// (insert_counters): a call costs one addition. None: there is no such call.
std::optional<model::CountedFunction> count_output(llvm::Module &module, const std::vector<model::Site> &calls);

}  // namespace thalweg::transform
