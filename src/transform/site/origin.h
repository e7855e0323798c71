// transform: where a call was in the program before any function was put into another: copies keep it.
#pragma once

#include <cstdint>
#include <vector>

#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

namespace thalweg::transform {

// The call's own number, before it the numbers of the calls whose callees were put in their place on the way to it, the outermost
// first. Empty: the call has none.
using Origin = std::vector<uint32_t>;

// Copies of the call, in this module or in a clone of it, have its origin.
void set_origin(llvm::CallBase &call, const Origin &origin);
Origin origin_of(const llvm::CallBase &call);
void forget_origin(llvm::CallBase &call);
// `copies` were put in the place of a call with this origin.
void note_way(const Origin &of, llvm::ArrayRef<llvm::CallBase *> copies);
// Whether the one is the other, or a part of the way to it.
bool is_on_the_way(const Origin &way, const Origin &origin);

}  // namespace thalweg::transform
