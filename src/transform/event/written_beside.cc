// transform: what a program writes beside a function's address.
#include "transform/event/written_beside.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

namespace thalweg::transform {

using namespace llvm;

namespace {

struct Place {
    const Value *base;
    int64_t offset;
    bool operator==(const Place &) const = default;
};

Place place_of(const StoreInst &store) {
    const DataLayout &layout = store.getModule()->getDataLayout();
    APInt offset(layout.getIndexTypeSizeInBits(store.getPointerOperandType()), 0);
    const Value *base = store.getPointerOperand()->stripAndAccumulateConstantOffsets(layout, offset, true);
    return {base, offset.getSExtValue()};
}

// What the store's block writes to `place`, if it is one pointer.
Constant *written_to(const Place &place, const BasicBlock &block) {
    Constant *found = nullptr;
    for (const Instruction &one : block) {
        const auto *store = dyn_cast<StoreInst>(&one);
        if (!store || place_of(*store) != place)
            continue;
        auto *value = dyn_cast<Constant>(const_cast<Value *>(store->getValueOperand()));
        if (!value || !value->getType()->isPointerTy() || (found && found != value))
            return nullptr;
        found = value;
    }
    return found;
}

// A use that puts the address nowhere.
bool only_looks(const Use &use) {
    const auto *call = dyn_cast<CallBase>(use.getUser());
    return isa<ICmpInst>(use.getUser()) || (call && call->isCallee(&use));
}

}  // namespace

Constant *written_beside(const Function &function, int64_t distance) {
    Constant *found = nullptr;
    for (const Use &use : function.uses()) {
        if (only_looks(use))
            continue;
        const auto *store = dyn_cast<StoreInst>(use.getUser());
        if (!store || store->getValueOperand() != &function)
            return nullptr;
        Place place = place_of(*store);
        place.offset += distance;
        Constant *beside = written_to(place, *store->getParent());
        if (!beside || (found && found != beside))
            return nullptr;
        found = beside;
    }
    return found;
}

}  // namespace thalweg::transform
