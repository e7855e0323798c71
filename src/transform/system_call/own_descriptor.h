// transform: whether a descriptor's offset is the program's alone: it opened the file, and nobody got the descriptor.
#pragma once

#include "llvm/IR/Module.h"

namespace thalweg::transform {

// What in the program could hand descriptors to another process, or put another file under a descriptor; empty: nothing.
std::string sharer_in(const llvm::Module &module);

// Whether it is what a call of open gave, in this function or in all the callers that hand it over.
bool is_own_descriptor(const llvm::Value &descriptor);

}  // namespace thalweg::transform
