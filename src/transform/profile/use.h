// transform: the counts of a recorded run, as branch weights and entry counts for LLVM's passes and for ours.
#pragma once

#include <cstdint>
#include <string>

#include "llvm/IR/PassManager.h"

namespace thalweg::transform {

struct CountsUsed {
    uint64_t fitting = 0;  // functions that have their counts now
    uint64_t misfitting = 0;  // that are not as they were counted
    std::string problem;  // why the text is no profile; empty: it is one
};

// `text` is LLVM's text of an indexed profile, of this module as insert_counters saw it. Nothing but metadata and attributes is changed.
// Which functions are hot and which are cold is left unsaid: finders of what was recorded would see the program in another way than the recording.
CountsUsed use_counts(llvm::Module &module, llvm::ModuleAnalysisManager &manager, const std::string &text);
// Says it, to the passes that come next.
void tell_heat(llvm::Module &module);
// Copies, fills and comparisons of memory that mostly had one size get code for it, as LLVM's pass has it. To be called when no more is found.
void fit_memory_operations(llvm::Module &module, llvm::FunctionAnalysisManager &analyses);

// How many IR instructions the counted run executed, by the blocks of the functions that have their counts.
uint64_t executed_instructions(llvm::Module &module, llvm::FunctionAnalysisManager &analyses);

}  // namespace thalweg::transform
