// transform: an optimised program that is recorded tells how often its guards held (src/recorder/probe_abi.h).
#pragma once

#include "llvm/IR/Module.h"

namespace thalweg::transform {

class GuardCounter {
  public:
    // Counts nothing unless `enabled`.
    GuardCounter(llvm::Module &module, bool enabled) : module_(module), enabled_(enabled) {}

    // Each time `block` runs, the guards of this decision held, or did not.
    void count(llvm::BasicBlock *block, uint32_t decision, bool held);

    // How many counters there are; to be called once, last.
    void emit();

  private:
    llvm::Module &module_;
    bool enabled_;
    uint64_t decisions_ = 0;  // the largest counted so far, and one
};

}  // namespace thalweg::transform
