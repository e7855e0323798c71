// transform: how often a function calls which, for each of its own entries, by its branch weights and the targets that were counted.
#pragma once

#include <utility>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/PassManager.h"

namespace llvm {
class CallBase;
class Function;
class Module;
}  // namespace llvm

namespace thalweg::transform {

// Targets of one call through a pointer that are looked at: as many as LLVM keeps.
inline constexpr uint32_t most_targets = 24;

// Those with a body, by the hash of their name in profiles, as targets of calls are counted. Of a function and copies of it, which have its name, the
// one that stands first.
using FunctionsByProfileName = llvm::DenseMap<uint64_t, llvm::Function *>;
FunctionsByProfileName functions_by_profile_name(llvm::Module &module);

using Entries = llvm::DenseMap<const llvm::Function *, double>;

struct Caller {
    llvm::Function *function;
    std::vector<std::pair<llvm::Function *, double>>
        callees;  // with a body, once for each call; executions for each entry of the caller
    struct Call {
        llvm::CallBase *call;
        double per_entry;
    };
    std::vector<Call> through_pointers;
};

// It reads frequencies when it is asked, and keeps none: the functions may change in between.
class CallFrequencies {
  public:
    CallFrequencies(llvm::Module &module, llvm::FunctionAnalysisManager &analyses);

    Caller of(llvm::Function &function) const;
    std::vector<Caller> of_all(llvm::Module &module) const;

  private:
    void add(llvm::CallBase &call, double per_entry, Caller &caller) const;

    llvm::FunctionAnalysisManager &analyses_;
    FunctionsByProfileName by_name_;
};

// Entries of each function: those from elsewhere, and by calls of these callers. None is above its `bound`, if it has one.
Entries passed_on(llvm::ArrayRef<Caller> callers, const Entries &from_elsewhere, const Entries &bounds);

// Where its targets are more than the executions that a call through a pointer has left, they are made fewer: LLVM's pass that calls them directly
// goes by their number alone.
void share_targets(const Caller &caller, double entries);

}  // namespace thalweg::transform
