// transform: functions begin where they began in the program that was built, as far as a cache line can tell.
#pragma once

#include <vector>

#include "llvm/IR/Module.h"

#include "model/plan.h"

namespace thalweg::transform {

// How fast a loop is depends on where in a cache line it lies: GNU wc's takes 1.00, 1.06, 1.10 or 1.15 of its time where wc's function begins
// 48, 32, 0 or 16 bytes behind a line's beginning, and nothing else differs (Mytkowicz et al., "Producing wrong data without doing
// anything obviously wrong!", ASPLOS 2009). So each function of `places` gets its old distance again.
void begin_where_they_began(const std::vector<model::FunctionPlace> &places, llvm::Module &module);

}  // namespace thalweg::transform
