// transform: what the handlers of a line work on lies together.
#pragma once

#include "llvm/IR/Module.h"

#include "transform/event/path_tree.h"

namespace thalweg::transform {

// The handlers' contexts that are variables of this program come first among its variables, in the order in which the lines
// use them: in few cache lines, as the members of one object would. Without it they lie where their translation units put them.
void place_contexts_together(const PathTree &tree, llvm::Module &module);

}  // namespace thalweg::transform
