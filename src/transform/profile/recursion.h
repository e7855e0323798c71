// transform: which functions call one another in a circle.
#pragma once

#include "transform/profile/call_frequencies.h"

namespace thalweg::transform {

class Recursion {
  public:
    // By direct calls, and through pointers by the targets that were counted.
    explicit Recursion(llvm::ArrayRef<Caller> callers);

    // Whether the one's calls of the other lead back to it.
    bool is_within(const llvm::Function *caller, const llvm::Function *callee) const;

  private:
    llvm::DenseMap<const llvm::Function *, unsigned> circle_of_;  // of those that are in one
};

}  // namespace thalweg::transform
