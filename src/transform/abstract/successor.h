// transform: where the way goes on from a block when what its terminator asks about is known, and what the next block's phis are then.
#pragma once

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Instructions.h"

#include "transform/abstract/known.h"

namespace thalweg::transform::abstract {

// The value that a conditional branch or a switch asks about; null for any other terminator.
llvm::Value *asked_by(const llvm::Instruction &terminator);

// Where a terminator of which `asked_by` gives a value goes with `value`.
llvm::BasicBlock *known_successor(const llvm::Instruction &terminator, const llvm::APInt &value);

// Where a terminator may go, each block once.
llvm::SmallVector<llvm::BasicBlock *> possible_successors(const llvm::Instruction &terminator, Read read);

// All phis of a block are taken at once: one may be another's value of the round before. `read` is given what comes in, `write` the phi and
// what `read` made of it.
template <class ReadOne, class Write>
void take_phis(const llvm::BasicBlock &from, llvm::BasicBlock &to, ReadOne read, Write write) {
    llvm::SmallVector<decltype(read(*to.begin()->getOperand(0))), 8> taken;
    for (const llvm::PHINode &phi : to.phis())
        taken.push_back(read(*phi.getIncomingValueForBlock(&from)));
    for (auto [phi, value] : llvm::zip(to.phis(), taken))
        write(phi, std::move(value));
}

}  // namespace thalweg::transform::abstract
