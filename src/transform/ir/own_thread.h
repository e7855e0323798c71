// transform: what a composite's lock does not protect, because no other thread has it.
#pragma once

#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

namespace thalweg::transform {

// Tells LLVM by scoped alias metadata that lock and unlock of a composite do not modify slots, frames or arguments, and that no event aliases an
// array of arguments. This holds because an event belongs to one thread, and arguments must not change during a raise
// (include/thalweg/thalweg.h).
void keep_apart_from_locks(llvm::Function &function);

// The array of a raise's arguments; the specialiser's copy of it is one too.
void mark_as_arguments(llvm::AllocaInst &array);
void copy_arguments_mark(const llvm::AllocaInst &array, llvm::AllocaInst &copy);

}  // namespace thalweg::transform
