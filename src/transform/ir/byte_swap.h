// transform: vectors of numbers turned from one byte order to the other.
#pragma once

#include "llvm/IR/Module.h"

namespace thalweg::transform {

// LLVM lowers a vector's byte swap to a byte shuffle, which x86 has since SSSE3; for plain SSE2 it unpacks and packs (7 instructions
// and a copy). Two shifts, an "or" and a shuffle of halves do the same in 5. To be called last: earlier passes know byte swaps better.
void lower_byte_swaps(llvm::Module &module);

}  // namespace thalweg::transform
