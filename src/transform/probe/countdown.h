// transform: how a probe asks now and then and not each time (src/recorder/probe_abi.h): the thread's countdown.
#pragma once

#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

namespace thalweg::transform {

// The recorder's variable of this thread.
llvm::GlobalVariable *declare_countdown(llvm::Module &module);

// --countdown < 0, which is rarely so: the branch on it should have the weights of rarely_taken.
llvm::Value *count_down(llvm::IRBuilder<> &builder, llvm::GlobalVariable &countdown);
llvm::MDNode *rarely_taken(llvm::LLVMContext &context);

}  // namespace thalweg::transform
