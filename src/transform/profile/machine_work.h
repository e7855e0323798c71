// transform: how many machine instructions an entry of a function executes, by the counts of a recorded run.
#pragma once

#include <memory>
#include <optional>

#include "llvm/IR/PassManager.h"
#include "llvm/Target/TargetMachine.h"

#include "transform/profile/call_frequencies.h"

namespace thalweg::transform {

// The function and what it calls, as far as that was executed, through pointers too, are made to code by LLVM's own passes in a module of their own, and
// the code's instructions are counted by its blocks' frequencies. What LLVM makes of it in its callers is another matter.
// IR instructions are no measure where it matters most: loads of locals that no register is left for, and constants that are folded into what uses
// them (mpg123's synthesis: a copy with a fifth fewer executed 5 % more).
class MachineWork {
  public:
    MachineWork(llvm::Module &module, llvm::FunctionAnalysisManager &analyses);
    ~MachineWork();
    MachineWork(const MachineWork &) = delete;
    MachineWork &operator=(const MachineWork &) = delete;

    // Of a function that is entered so often in a run. Nothing: it and what it calls are too large, or have a block whose address is taken.
    std::optional<double> of_entry(llvm::Function &function, double entries);

  private:
    std::vector<llvm::Function *> executed_from(llvm::Function &function) const;

    CallFrequencies frequencies_;
    std::unique_ptr<llvm::TargetMachine> machine_;
};

}  // namespace thalweg::transform
