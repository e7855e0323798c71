// transform: what later remote calls are given, made in front of the first.
#pragma once

#include <string>

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"

#include "transform/system_call/remote_trace.h"

namespace thalweg::transform {

// The operands of clnt_call.
enum RemoteOperand : unsigned {
    remote_client,
    remote_procedure,
    remote_encode,
    remote_arguments,
    remote_decode,
    remote_results,
    remote_limit,
};

// Of one trace, call by call: whether a call's request can be made at the first call, and the values for it.
class EarlyArguments {
  public:
    EarlyArguments(const RemoteTrace &trace, const llvm::DominatorTree &tree);

    // Why call `index`, behind those that were asked about before, can't be on its way with the first; empty: it can.
    std::string obstacle(unsigned index);
    // In front of the first call: the pointer that stands for call `index`'s arguments.
    llvm::Value *make(unsigned index, llvm::IRBuilder<> &builder);

  private:
    std::string judge_writes(unsigned index);
    bool is_early(llvm::Value *value, unsigned depth = 0) const;
    bool is_early_write(const llvm::Instruction &write, const llvm::Value &object) const;
    bool is_unchanged(const llvm::Value *pointer) const;
    bool is_same(llvm::Value *one, llvm::Value *other, unsigned depth = 0) const;
    llvm::Value *early(llvm::Value *value, llvm::IRBuilder<> &builder);
    llvm::Value *make_copy(llvm::AllocaInst &object, unsigned index, llvm::IRBuilder<> &builder);

    const RemoteTrace &trace_;
    const llvm::DominatorTree &tree_;
    llvm::SmallPtrSet<const llvm::Value *, 8> results_;  // the objects in which the calls' results are put
    llvm::SmallPtrSet<const llvm::Value *, 8> written_;  // the objects that are written on the way
    unsigned judged_ = 0;  // of the writes
    llvm::DenseMap<llvm::Value *, llvm::Value *> made_;
};

}  // namespace thalweg::transform
