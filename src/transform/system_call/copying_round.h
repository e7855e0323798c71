// transform: what one round of a loop does in which all that was asked for is read, and all of it is written.
#pragma once

#include <string>
#include <vector>

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"

namespace thalweg::transform {

struct CopyingRound {
    std::string
        why_not;  // it does something else, or which way it goes isn't known; empty: it reads a block, writes it, and begins again
    uint64_t block = 0;  // bytes
    std::vector<llvm::PHINode *>
        sums;  // of the loop's header: grow by a block in each round; all others stay as they are
};

// Follows the round from the loop's header, evaluating what is known where `read` gives as many bytes as it was asked for and `write` takes all.
CopyingRound follow_round(const llvm::Loop &loop, llvm::CallBase &read, llvm::CallBase &write);

}  // namespace thalweg::transform
