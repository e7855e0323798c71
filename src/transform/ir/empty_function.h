// transform: functions without an instruction.
#pragma once

#include "llvm/IR/Module.h"

namespace thalweg::transform {

// A function that cannot be entered (the rest of a coroutine that is never resumed) has no instruction, and then no byte: it lies where the next
// one begins. The linker keeps one entry for an address in the table by which exceptions find their functions, so that the next one's handlers
// can be lost. Such functions get a trap.
void fill_empty_functions(llvm::Module &module);

}  // namespace thalweg::transform
