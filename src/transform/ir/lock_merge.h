// transform: a composite's lock is taken once for all the handlers of a line (paper 000, section 3.2.2, redundant code).
#pragma once

#include "transform/ir/loop_copy.h"

namespace thalweg::transform {

// Whether the instruction takes or gives back a composite's lock.
bool is_lock_or_unlock(const llvm::Instruction &one);

// Between two handlers, an unlock that is followed by a lock of the same composite, with nothing done in between, goes;
// where the line is left there, the unlock stays. `changed` is the loop's exit for changed bindings.
void merge_locks(const StraightLine &line, llvm::BasicBlock *changed);

}  // namespace thalweg::transform
