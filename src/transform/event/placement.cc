// transform: what the handlers of a line work on lies together.
#include "transform/event/placement.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ValueTracking.h"

namespace thalweg::transform {

using namespace llvm;

namespace {

using Variables = SmallSetVector<GlobalVariable *, 16>;

// One that has a place of its own choosing stays there.
bool may_move(const GlobalVariable &variable) {
    return !variable.isDeclaration() && !variable.isConstant() && !variable.isThreadLocal() && !variable.hasSection() &&
           !variable.hasComdat() && !variable.hasAppendingLinkage();
}

void collect(const PathNode &node, Variables &found) {
    for (uint32_t k = 0; k < node.targets.size(); ++k) {
        Value *context = node.targets[k].context;
        auto *variable = context ? dyn_cast<GlobalVariable>(getUnderlyingObject(context)) : nullptr;
        if (variable && may_move(*variable))
            found.insert(variable);
        if (const auto inside = node.children.find(k); inside != node.children.end())
            for (const PathNode *child : inside->second)
                collect(*child, found);
    }
}

}  // namespace

void place_contexts_together(const PathTree &tree, Module &module) {
    Variables found;
    for (const auto &[site, nodes] : tree.roots)
        for (const PathNode *node : nodes)
            collect(*node, found);
    for (GlobalVariable *variable : llvm::reverse(found)) {
        module.removeGlobalVariable(variable);
        module.insertGlobalVariable(module.global_begin(), variable);
    }
}

}  // namespace thalweg::transform
