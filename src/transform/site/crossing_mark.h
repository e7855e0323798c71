// transform: which of the runtime's header functions are crossings: where a tamed function's event is triggered, and on to who waits.
#pragma once

#include "llvm/IR/Module.h"

namespace thalweg::transform {

// Reads what include/thalweg/tame/crossing.h wrote beside the functions, before anything else looks at the module. From then on they are
// functions like the program's own: watched, and unfolded, though their author kept them apart from their callers.
void take_crossing_marks(llvm::Module &module);

bool is_crossing(const llvm::Function &function);
// Its first argument is the event's node (abi.h).
bool is_trigger(const llvm::Function &function);

}  // namespace thalweg::transform
