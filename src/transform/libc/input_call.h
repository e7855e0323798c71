// transform: calls of the C library that take bytes out of a stream's buffer, and can be written in place.
#pragma once

#include "llvm/IR/InstrTypes.h"

#include "knowledge/function.h"

namespace thalweg::transform {

// Null: it is none. A function that the program has itself is no such one.
const knowledge::Input *input_call(const llvm::CallBase &call);

}  // namespace thalweg::transform
