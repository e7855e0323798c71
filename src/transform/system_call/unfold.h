// transform: brings system calls of several functions into one that calls them, by unfolding what lies between (paper cassyopia, section 2).
#pragma once

#include <vector>

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

namespace thalweg::transform {

class Unfolder {
  public:
    // `holders`: the functions in which the calls stand.
    Unfolder(llvm::Module &module, llvm::ArrayRef<llvm::Function *> holders);

    // The functions that lead to such calls in two places or more, in module order.
    std::vector<llvm::Function *> roots() const;

    // Unfolds in this function what leads to them. A call through a pointer that may lead to one function only is tested for it first.
    void unfold(llvm::Function &root) const;

    // Unfolds one call, if what it calls is small.
    static bool unfold_call(llvm::CallBase &call);

  private:
    // What the call leads to; null: to none of them.
    llvm::Function *target_of(const llvm::CallBase &call) const;

    llvm::Module &module_;
    llvm::SmallSetVector<llvm::Function *, 16> leading_;
    llvm::DenseMap<llvm::FunctionType *, llvm::Function *> through_pointers_;  // null: several
};

}  // namespace thalweg::transform
