// transform: functions begin where they began in the program that was built, as far as a cache line can tell.
#pragma once

#include <vector>

#include "llvm/IR/Module.h"

#include "job/job.h"

namespace thalweg::transform {

// How fast a loop is depends on where in a cache line it lies, though nothing else differs (Mytkowicz et al., "Producing wrong data
// without doing anything obviously wrong!", ASPLOS 2009; `./bench programs --cases wc --variants original,linked-again` shows it where
// this is taken out). So each function of `places` gets its old distance again.
void begin_where_they_began(const std::vector<job::FunctionPlace> &places, llvm::Module &module);

}  // namespace thalweg::transform
