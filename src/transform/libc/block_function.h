// transform: a function that gives a small block, resizes or takes it, from the blocks that the thread keeps, and calls the library where they don't serve.
#pragma once

#include <optional>
#include <vector>

#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Function.h"

#include "knowledge/function.h"
#include "model/counts.h"

namespace thalweg::transform {

// How the C library's function of this name uses blocks, if the module declares it as the library does; none: it is not known.
std::optional<knowledge::BlockUse> block_use(const llvm::Function &callee, const llvm::TargetLibraryInfo &library);

// Has all plain calls of `callee` go by the blocks that the thread keeps.
void reuse_blocks(llvm::Function &callee, knowledge::BlockUse use);
// The same with two counters, which the function that is made has among those whose blocks are counted: abi::block_counters. Where nothing may be kept the
// calls are counted all the same, so that somebody says why it is not.
enum class Keeps { nothing, blocks };
model::CountedFunction reuse_blocks_counted(llvm::Function &callee, knowledge::BlockUse use, Keeps keeps);

}  // namespace thalweg::transform
