// transform: an optimised program that is recorded tells how often its guards held (src/abi/probe.h).
#pragma once

#include <vector>

#include "llvm/IR/Module.h"

namespace thalweg::transform {

class GuardCounter {
  public:
    // Counts nothing unless `enabled`.
    GuardCounter(llvm::Module &module, bool enabled) : module_(module), enabled_(enabled) {}

    // Each time `block` runs, the guards of this decision held, or did not.
    void count(llvm::BasicBlock *block, uint32_t decision, bool held);

    // What a specialised layer calls where it is entered and where a fact does not hold, until `emit` puts counters there: other code takes
    // the layer in, and must not see its memory change. Null: nothing is counted.
    struct Marks {
        llvm::Function *entered = nullptr;
        llvm::Function *left = nullptr;
    };
    Marks marks_of(uint32_t decision);

    // How many counters there are; to be called once, last.
    void emit();

  private:
    // Before `at`, the decision's hits (or failures) become so many more.
    void add(llvm::Instruction *at, uint32_t decision, bool held, int64_t more);
    void put_for(llvm::Function &mark, uint32_t decision, bool entered);

    llvm::Module &module_;
    bool enabled_;
    std::vector<std::pair<uint32_t, Marks>> marks_;  // by decision
    uint64_t decisions_ = 0;  // the largest counted so far, and one
};

}  // namespace thalweg::transform
