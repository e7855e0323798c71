// transform: the way from one remote call to the next, where each has success.
#pragma once

#include <string>

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Instructions.h"

namespace thalweg::transform {

struct RemoteTrace {
    struct Step {
        llvm::Instruction *instruction;  // writes memory
        unsigned behind;  // so many of the calls
    };
    llvm::SmallVector<llvm::CallInst *, 8> calls;
    llvm::SmallVector<Step, 32> writes;
    std::string end;  // why no further call is reached
};

// Nothing on the way can be seen by others, or tells of them, but for what it writes; and nothing but the calls' success decides where it goes.
RemoteTrace follow_remote_calls(llvm::CallInst &first, llvm::function_ref<bool(const llvm::CallBase &)> is_remote);

}  // namespace thalweg::transform
