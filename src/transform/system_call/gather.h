// transform: a chain of writes becomes one vector write, in a copy of what lies between them.
#pragma once

#include <string>

#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/GlobalVariable.h"

#include "transform/system_call/chain.h"

namespace thalweg::transform {

// What the whole program has of it.
struct GatherState {
    llvm::GlobalVariable *file = nullptr;  // abi/gathered_write.h
    llvm::GlobalVariable *descriptors = nullptr;  // abi/descriptors.h; null: nothing is known of them
    llvm::GlobalVariable *mapped_file = nullptr;  // not zero: a file is mapped; null: the program maps none
};

// Why what lies between may change what is to be written; empty: it doesn't.
std::string changes_buffer(const WriteChain &chain, llvm::AAResults &aliases, llvm::DominatorTree &dominators);

// The copy goes on as if each call had written all, up to the last, and makes one call for all there. Where it isn't so, what the copy has
// written is put back, and the original goes on in front of the first call; what was written is not written twice.
void gather_writes(llvm::Function &function, const WriteChain &chain, const GatherState &state);

}  // namespace thalweg::transform
