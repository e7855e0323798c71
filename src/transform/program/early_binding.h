// transform: functions of shared libraries that the run called are called through their entry of the global offset table.
#pragma once

#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

namespace thalweg::transform {

// Without the jump of the procedure linkage table, which finds a function when it is called first. It is found when the program is loaded instead, so
// only what the counted run called is bound so: for that nothing is looked up more often than before. (Clang has -fno-plt for all of a program's.)
void bind_what_was_called(llvm::Module &module, llvm::FunctionAnalysisManager &analyses);

}  // namespace thalweg::transform
