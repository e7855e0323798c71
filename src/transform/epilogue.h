// transform: what a raise does after its loop, as part of each line; and frames that nobody can see are taken out.
#pragma once

#include "transform/guard.h"

namespace thalweg::transform {

// The line gets copies of its own of the short blocks that it and the original loop end in.
void copy_exit(const FrontedLine &line, llvm::BasicBlock *exit);

// A store to a place whose old value is put back later, and that nothing between reads or writes, is removed, with the
// putting back: a frame pushed around handlers that cannot look at it.
void remove_unseen_stores(llvm::Function &function, llvm::AAResults &aliases);

}  // namespace thalweg::transform
