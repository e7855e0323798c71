// transform: how a C program declares a function of the module: from its debug information, or from the types of its IR.
#pragma once

#include <string>
#include <vector>

#include "llvm/IR/Function.h"

namespace thalweg::transform {

struct Prototype {
    std::string text;  // "int NAME(struct sink *arg0)"; its parameters have the names that facts give them
    bool from_debug_info = false;
    std::vector<std::string> tags;  // structures that it only points to: a declaration of the tag is enough
    std::vector<std::string> by_value;  // types that callers must have declared in full before
    std::string problem;  // why there is none; then the rest is empty
};

Prototype prototype_of(const llvm::Function &function, const std::string &name);

}  // namespace thalweg::transform
