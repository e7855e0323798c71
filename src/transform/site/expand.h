// transform: gives each caller its own copy of a dispatch loop that several share, so that the profile tells them apart.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "llvm/IR/PassManager.h"

#include "transform/site/origin.h"

namespace thalweg::transform {

// How many instructions all copies together may have, of a program of so many.
uint64_t room_for_copies(uint64_t instructions);

// Inlines small functions that hold a dispatch loop into their direct callers, those first whose copies are fewest instructions, while there is
// room. The same module and room give the same result, in the recording link and in the optimising one.
void expand_dispatchers(llvm::Module &module, llvm::FunctionAnalysisManager &analyses, uint64_t room);

// A dispatcher called by a thin wrapper called by the program.
inline constexpr unsigned max_levels_of_copies = 2;

// Whether copies of the runtime's dispatchers are made depends on the program's calls of these.
std::vector<const llvm::Function *> functions_that_count_for_copies(const llvm::Module &module);

// Inlines into the function only the chain of dispatchers that leads to the call with this origin. Gives the functions that were inlined; nothing: it
// can't be done. The conditions are those of expand_dispatchers.
std::optional<std::vector<llvm::Function *>> bring_in(llvm::Function &function, const Origin &origin,
                                                      llvm::FunctionAnalysisManager &analyses);

}  // namespace thalweg::transform
