// transform: whether a program's blocks of memory may be kept for later requests.
#include "transform/libc/heap.h"

#include "llvm/ADT/STLExtras.h"

#include "transform/ir/use.h"

namespace thalweg::transform {

using namespace llvm;

namespace {

bool has_sanitizer(const Function &function) {
    return function.hasFnAttribute(Attribute::SanitizeAddress) ||
           function.hasFnAttribute(Attribute::SanitizeHWAddress) ||
           function.hasFnAttribute(Attribute::SanitizeMemory) || function.hasFnAttribute(Attribute::SanitizeThread);
}

}  // namespace

bool may_be_unloaded(const Module &module) {
    const Function *main = module.getFunction("main");
    return !main || main->isDeclaration() || is_library(module);
}

std::string obstacle_to_kept_blocks(const Module &module) {
    if (may_be_unloaded(module))
        return "it is no program: a library may be unloaded, and what it keeps would be lost";
    using knowledge::Allocation;
    for (const StringRef name : names_that([](auto &one) { return one.allocation == Allocation::allocates; }))
        if (const Function *function = module.getFunction(name); function && !function->isDeclaration())
            return "the program has a " + name.str() + " of its own";
    const auto watches = [](const knowledge::Function &one) { return one.allocation == Allocation::watches; };
    if (const std::string used = used_that(module, watches); !used.empty())
        return "the program uses " + used + ", which would show or change what is kept";
    return any_of(module, has_sanitizer) ? "a sanitizer watches the program's memory" : "";
}

}  // namespace thalweg::transform
