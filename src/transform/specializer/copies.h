// transform: copies of a few bytes, how many is known at run time only: out of a local buffer, or into one.
#pragma once

#include "llvm/IR/Function.h"

namespace thalweg::transform::specializer {

// A layer that hands a small buffer on to the next, with the number of bytes in it, ends in a call of the library's copying function. The
// buffer's size bounds the number, so that two loads and two stores which overlap do it, without the call and all that the caller has to save.
// Other bounds are not known. Copies that are larger, or volatile, stay.
void write_small_copies(llvm::Function &function);

}  // namespace thalweg::transform::specializer
