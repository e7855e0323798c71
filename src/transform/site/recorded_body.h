// transform: the functions that a plan speaks of, as they were before anything was changed.
#pragma once

#include <string>

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Module.h"

#include "model/plan.h"

namespace thalweg::transform {

// Of a function whose body has another hash than the plan says.
std::string stale(llvm::StringRef function);

// A plan numbers a function's instructions, and tells by a hash of its body whether they are those that were recorded. The hashes are taken
// once: what another decision does to a function is no change since the recording.
class RecordedBodies {
  public:
    RecordedBodies(const model::Plan &plan, const llvm::Module &module);

    // Other decisions have been carried out.
    void note_changes();
    // The function that the decision is about, if it is in this program as it was recorded; else why it isn't.
    struct Found {
        llvm::Function *function = nullptr;
        std::string why_not;
    };
    Found function_of(const model::Decision &decision, const llvm::Module &module) const;
    // Why the plan's numbers of the function's instructions don't fit. `recorded`: the hash in the plan; 0: not compared.
    std::string misfit(const llvm::Function &function, uint64_t recorded) const;

  private:
    struct Body {
        uint64_t hash = 0;
        bool changed = false;
    };
    llvm::DenseMap<const llvm::Function *, Body> bodies_;  // looked up only
};

}  // namespace thalweg::transform
