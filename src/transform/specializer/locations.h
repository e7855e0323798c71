// transform: where an instruction of an unfolded function stands in the source, as the debugger shall see it: inlined at its calls.
#pragma once

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/DebugInfoMetadata.h"

#include "transform/specializer/frame.h"

namespace thalweg::transform::specializer {

// All attempts have the same places: LLVM keeps each one that it ever made.
class Locations {
  public:
    explicit Locations(const llvm::Function &root);
    llvm::DebugLoc of(const Context *context, const llvm::Instruction &instruction);

  private:
    llvm::DILocation *of_call(const Context *context);

    llvm::DILocation *nowhere_ = nullptr;  // null: the root has no debug information
    llvm::DenseMap<const Context *, llvm::DILocation *> calls_;
    llvm::DenseMap<std::pair<const Context *, const llvm::DILocation *>, llvm::DILocation *> inlined_;
};

}  // namespace thalweg::transform::specializer
