// transform: the counts of a recorded run, as branch weights and entry counts for LLVM's passes and for ours.
#pragma once

#include <cstdint>
#include <string>

#include "llvm/ADT/StringMap.h"
#include "llvm/IR/PassManager.h"

namespace thalweg::transform {

struct CountsUsed {
    uint64_t fitting = 0;  // functions that have their counts now
    uint64_t misfitting = 0;  // that are not as they were counted
    std::string problem;  // why the text is no profile; empty: it is one
    llvm::StringMap<uint64_t> counted;  // by LLVM's name of a function in profiles: the sum of its counters
};

// `text` is LLVM's text of an indexed profile, of this module as insert_counters saw it. Nothing but metadata and attributes is changed.
// Hot and cold attributes are held back until tell_heat: with them the search for recorded sites would see another program than the recording did.
CountsUsed use_counts(llvm::Module &module, llvm::ModuleAnalysisManager &manager, const std::string &text);
// As use_counts, of the indexed profile at `path`; `counted` stays empty. What can't be read is LLVM's error.
CountsUsed use_indexed_counts(llvm::Module &module, llvm::ModuleAnalysisManager &manager, const std::string &path);
// Sets the hot and cold attributes that use_counts held back, for LLVM's passes that follow.
void tell_heat(llvm::Module &module);
// Runs LLVM's pass that specialises memcpy, memset and memcmp for their most frequent sizes. It changes the control flow, so it must come after the
// search for sites.
void fit_memory_operations(llvm::Module &module, llvm::FunctionAnalysisManager &analyses);
// What hardly ran is optimised for size, by LLVM's pass: what makes code larger is for what is hot. On mawk and m4 that takes 19 and 9 % off the time of
// `optimize` (least of three, interleaved) and 2 and 4 % off the code; of what was recorded in another way than it is used (mawk, m4, zlib, lz4) none executes 0.15 % more.
void shrink_what_is_cold(llvm::Module &module, llvm::ModuleAnalysisManager &manager);

// How many IR instructions the counted run executed, by the blocks of the functions that have their counts.
uint64_t executed_instructions(llvm::Module &module, llvm::FunctionAnalysisManager &analyses, const CountsUsed &counts);

}  // namespace thalweg::transform
