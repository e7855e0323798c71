// transform: the stretches of a program in which it neither learns of others nor shows them anything (docs/SYSTEM_CALLS.md).
#pragma once

#include <string>

#include "llvm/IR/Function.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

namespace thalweg::transform {

// Why this program has no quiet stretches that could be seen; empty: it has.
std::string obstacle_to_stretches(const llvm::Module &module);

// What each thread knows in its quiet stretch (abi/crossing.h); made where it isn't there yet.
llvm::GlobalVariable *stretch_of(llvm::Module &module);
// The same; null: it isn't there.
llvm::GlobalVariable *made_stretch_of(llvm::Module &module);

// What `instruction` does to a stretch. If its target is none of the program's: it calls through a pointer.
enum class Ends { no, yes, if_target_is_foreign };
Ends ends_stretch(const llvm::Instruction &instruction);

// Stores 0 (or `descriptor`) as what the thread's stretch knows of.
void store_in_stretch(llvm::Instruction &before, int32_t descriptor);

// Where the module has a variable for what is known: all of it is forgotten in front of whatever ends a stretch. To be called once, after
// the calls that tell are the crossing room's.
void end_stretches(llvm::Module &module, llvm::FunctionAnalysisManager &analyses);

}  // namespace thalweg::transform
