// transform: calls beside which something is noted of a quiet stretch keep the form that the program gave them.
#pragma once

#include "llvm/IR/Module.h"

namespace thalweg::transform {

// What is forgotten in front of a call of another's function, and the address that a call of the crossing room is given, go into small
// functions that end in that call. So a function in which nothing but such calls was changed has the same instructions as before, and
// its loops begin where they began (program/own_place.h). To be called last: LLVM knows more of the functions themselves.
void put_stretches_into_thunks(llvm::Module &module);

}  // namespace thalweg::transform
