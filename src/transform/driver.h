// transform: what is made of a program, by the job: the passes of each in order.
#pragma once

#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

#include "job/job.h"

namespace thalweg::transform {

// A program in the making. All of it outlives whoever gets it.
struct Link {
    llvm::Module &module;
    llvm::ModuleAnalysisManager &manager;
    const job::TransformJob &job;

    llvm::FunctionAnalysisManager &analyses() const {
        return manager.getResult<llvm::FunctionAnalysisManagerModuleProxy>(module).getManager();
    }
};

// The instrumented twin, and the table of its sites.
void make_twin(const Link &link);

// By the plan; the outcome says what became of each decision. Whether nothing but calls was changed: then what the program's own build made
// of it needs no more than that build did.
bool optimise(const Link &link);

// One unit of a program that is linked by ThinLTO: with LLVM's own counters, for its runtime; or with the counts of such a run. The outcome tells of the
// unit alone. No decision is made: each needs to see the program as a whole.
void count_unit(const Link &link);
void optimise_unit(const Link &link);

// One specialised function, and of the rest what it needs.
void make_object(const Link &link);

}  // namespace thalweg::transform
