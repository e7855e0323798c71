// transform: the places where coroutines go on behind a wait, and where the events are triggered that they wait for.
#pragma once

#include <vector>

#include "llvm/IR/Module.h"

#include "model/site.h"

namespace thalweg::transform {

// Where one function's course is joined: a trigger at its entry, a wait where the function goes on.
struct WaitSite {
    llvm::Function *function = nullptr;
    llvm::BasicBlock *block =
        nullptr;  // where the function goes on behind the wait; null: a trigger, or the function's only wait
    model::Site key;
};

// In module order. A coroutine is known by what LLVM's CoroSplit leaves of it: a function whose address its frame begins with, and which
// asks its frame first of all behind which wait it is to go on. So it is with every library's coroutines.
std::vector<WaitSite> find_wait_sites(llvm::Module &module);

}  // namespace thalweg::transform
