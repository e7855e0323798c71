// transform: the functions that a pointer can lead to, the variables that can be a handler's context, and all bodies.
#pragma once

#include <vector>

#include "llvm/IR/Module.h"

#include "model/site.h"

namespace thalweg::transform {

struct SymbolList {
    std::vector<llvm::GlobalObject *> objects;
    std::vector<model::Symbol> symbols;
};

// In module order; thread-local variables, intrinsics and the plug-in's own names are left out.
SymbolList collect_symbols(llvm::Module &module);

// Every function that has a body here, in module order.
struct BodyList {
    std::vector<llvm::Function *> functions;
    std::vector<model::FunctionBody> bodies;
};
BodyList collect_bodies(llvm::Module &module);

}  // namespace thalweg::transform
