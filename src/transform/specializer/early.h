// transform: the straight way to a loop, on which the objects are set up that the loop works on: a region may begin there.
#pragma once

#include <vector>

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Instructions.h"

#include "transform/specializer/state.h"

namespace thalweg::transform::specializer {

// The blocks that run one after the other just before the loop, in which nothing is called; none when nothing is stored there, or no
// pointer loaded.
std::vector<const llvm::BasicBlock *> straight_way_to(const llvm::Loop &loop);

// A pointer that is loaded on the way, from where it lay when the way began.
struct EarlyPointer {
    llvm::LoadInst *load = nullptr;
    llvm::Value *base =
        nullptr;  // its place is an offset from this value's, which is known before the way, or from what `behind` gives
    const llvm::LoadInst *behind = nullptr;
    int64_t offset = 0;
};

// Bytes behind a pointer that is known before the way, or behind an early pointer's load.
struct BytesBehind {
    const llvm::Value *base = nullptr;
    int64_t begin = 0;
    int64_t end = 0;
};

struct Early {
    std::vector<EarlyPointer> pointers;
    // Because the way reads or writes in the same object: from where the base leads to, as LLVM's `inbounds` says that this lies in the
    // object too. Each base once.
    std::vector<BytesBehind> readable;
    std::vector<BytesBehind> stored;  // on the way
};

// Each place once, in the order of the way, when `is_known` tells which values are pointers that are known before it. What may have been
// stored to on the way, as far as offsets tell, is left out.
Early early_on(const std::vector<const llvm::BasicBlock *> &way,
               llvm::function_ref<bool(const llvm::Value *)> is_known);

}  // namespace thalweg::transform::specializer
