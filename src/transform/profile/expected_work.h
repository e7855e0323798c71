// transform: how many instructions an entry of a function executes, by the counts of a recorded run.
#pragma once

#include <optional>
#include <vector>

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/PassManager.h"

#include "transform/profile/call_frequencies.h"

namespace llvm {
class CallBase;
class Function;
class Module;
}  // namespace llvm

namespace thalweg::transform {

// IR instructions, phis and what is no code left out, of the function and of what it calls, through pointers too, where these have a body: what is
// not executed any more is what a decision saves, whatever it was that decided it. The bodies that it was asked of must not change while it lives.
class ExpectedWork {
  public:
    ExpectedWork(llvm::Module &module, llvm::FunctionAnalysisManager &analyses);

    // Nothing: the function was not counted, or has no frequencies that mean anything (a loop that is never left).
    std::optional<double> of_entry(llvm::Function &function);
    // Of the function that was asked of last: whether it was told what each call through a pointer called.
    bool knows_all_calls() const { return knows_all_calls_; }
    // The same of a function that was made from it: branches that it has from there have their counts.
    std::optional<double> of_copy(llvm::Function &copy);
    // Of what that calls, without itself.
    double of_calls_in(llvm::Function &copy);
    // Of one instruction, without what it calls.
    static double of_instruction(const llvm::Instruction &instruction);

  private:
    double of_callee(llvm::Function &function);
    double of_call(const llvm::CallBase &call);
    std::optional<double> of_body(llvm::Function &function);
    std::vector<double> rounds_of(llvm::Function &function);

    llvm::FunctionAnalysisManager &analyses_;
    bool knows_all_calls_ = true;
    unsigned levels_ = 0;
    FunctionsByProfileName by_name_;
    struct Known {
        double work = 0;  // while it is being asked for: of what calls itself, one round
        bool knows_all_calls = true;
    };
    llvm::DenseMap<const llvm::Function *, Known> known_;
};

}  // namespace thalweg::transform
