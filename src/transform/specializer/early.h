// transform: the straight way to a loop, on which the objects are set up that the loop works on: a region may begin there.
#pragma once

#include <vector>

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Instructions.h"

#include "transform/specializer/state.h"
#include "transform/specializer/types.h"

namespace thalweg::transform::specializer {

// The straight-line blocks without calls that end in the loop's preheader. Empty if they store nothing or load no pointer.
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
    std::vector<BytesBehind> readable;  // before the way, since the way accesses them in any case; one entry an access
    std::vector<BytesBehind> stored;  // on the way
};

// Collects the pointers that may be loaded before the way instead of on it, each place once, in the order of the way. Left out is what the way has
// stored to before the load; what it may have stored to is followed by no other pointer, and nothing is readable behind it. `is_known`: whether a value
// is a pointer that is known before the way.
Early early_on(const std::vector<const llvm::BasicBlock *> &way, llvm::function_ref<bool(const llvm::Value *)> is_known,
               TypeTags &types);

}  // namespace thalweg::transform::specializer
