// transform: accesses to events and frames, known by the type that clang says of them.
#include "transform/ir/event_access.h"

#include "transform/ir/abi.h"

namespace thalweg::transform {

using namespace llvm;

namespace {

// The type's name as C has it, or as C++ mangles it.
bool is_of_type(const Instruction &access, StringRef type) {
    const MDNode *tag = access.getMetadata(LLVMContext::MD_tbaa);
    const auto *base = tag && tag->getNumOperands() > 0 ? dyn_cast<MDNode>(tag->getOperand(0)) : nullptr;
    const auto *name = base && base->getNumOperands() > 0 ? dyn_cast<MDString>(base->getOperand(0)) : nullptr;
    return name && (name->getString() == type || name->getString() == cxx_name_of(type));
}

}  // namespace

bool is_in_core(const Instruction &access) { return is_of_type(access, ABI_TYPE(thalweg_core)); }

bool is_in_frame(const Instruction &access) { return is_of_type(access, ABI_TYPE(thalweg_frame)); }

bool is_frame(const Value *object) {
    return isa<AllocaInst>(object) && llvm::any_of(object->users(), [&](const User *user) {
               const auto *store = dyn_cast<StoreInst>(user);
               return store && store->getValueOperand() == object && is_in_core(*store);
           });
}

}  // namespace thalweg::transform
