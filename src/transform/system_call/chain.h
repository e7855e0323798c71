// transform: writes that follow each other with nothing between that others could see or that could learn of others.
#pragma once

#include <string>
#include <vector>

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

#include "transform/system_call/may_fault.h"

namespace thalweg::transform {

// The calls in order, each in a block of its own, and all blocks of the quiet ways from each to the next, the calls' too, each after those
// that lead to it. Ways that go back to what was passed are none of them.
struct WriteChain {
    llvm::SmallVector<llvm::CallInst *, 8> calls;
    llvm::SmallVector<llvm::BasicBlock *, 32> blocks;
    llvm::SmallVector<FaultTest> tests;  // of instructions of these blocks, in their order
    // FaultProof::unmapping: on none of these the proofs rest, once the end of the block was passed. Null: there are none.
    llvm::BasicBlock *unmapping_since = nullptr;
    llvm::SmallVector<llvm::Instruction *> unmapping;
};

struct ChainSearch {
    WriteChain chain;
    std::string why_not;  // empty: it was found
    llvm::CallBase *obstacle = nullptr;  // a call of a function with a body, on what would be a way
};

// `numbers`: of find_system_calls, in order; whatever of them follows goes on with the chain. Puts each of their calls into a block of its own.
ChainSearch find_chain(llvm::Function &function, const std::vector<uint32_t> &numbers);

// The object that a quiet instruction writes; null: it writes nothing.
llvm::AllocaInst *written_local(const llvm::Instruction &one);

}  // namespace thalweg::transform
