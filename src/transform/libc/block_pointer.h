// transform: calls through pointers to functions that give blocks of memory or take them, as programs have them whose users may bring a malloc of their own.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Module.h"

namespace thalweg::transform {

// Where a recorded run called one of `callees` often enough for LLVM to promote the call: if it is that one, calls it directly.
void ask_pointers_as_recorded(llvm::Module &module, llvm::ArrayRef<llvm::Function *> callees);
// The same of each call that `callee`'s address could reach by its type, of which nothing is known yet.
void ask_all_pointers(llvm::Function &callee);

}  // namespace thalweg::transform
