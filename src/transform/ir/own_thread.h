// transform: what a composite's lock does not protect, because no other thread has it.
#pragma once

#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

namespace thalweg::transform {

// An event belongs to one thread: its slots and frames are nobody else's, and an array of arguments stays as it is while the
// raise lasts (include/thalweg/thalweg.h). Taking or giving back a composite's lock changes none of them, and no event lies in
// an array of arguments: said in LLVM's words, scoped alias metadata, on every access to them and every call of lock and unlock.
void keep_apart_from_locks(llvm::Function &function);

// The array of a raise's arguments; the specialiser's copy of it is one too.
void mark_as_arguments(llvm::AllocaInst &array);
void copy_arguments_mark(const llvm::AllocaInst &array, llvm::AllocaInst &copy);

}  // namespace thalweg::transform
