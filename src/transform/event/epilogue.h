// transform: what a raise does after its loop, as part of each line.
#pragma once

#include "transform/event/guard.h"

namespace thalweg::transform {

// The line gets copies of its own of the short blocks that it and the original loop end in.
void copy_exit(const FrontedLine &line, llvm::BasicBlock *exit);

}  // namespace thalweg::transform
