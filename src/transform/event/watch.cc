// transform: variables that point to events, and are changed only where this module shows it.
#include "transform/event/watch.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include <thalweg/thalweg.h>

#include "transform/ir/abi.h"

namespace thalweg::transform {

using namespace llvm;

namespace {

// Of our C interface, the functions that store an event through a pointer given to them and keep that pointer no longer.
constexpr StringLiteral fillers[] = {ABI_SYMBOL(thalweg_event_create).name};

bool fills_in(const CallBase &call) {
    const Function *callee = call.getCalledFunction();
    return callee && is_contained(fillers, callee->getName());
}

// Calls `visit` for each use that is no address computation; false as soon as it says so.
template <class Visit>
bool for_each_access(Value &address, Visit visit) {
    for (Use &use : address.uses()) {
        if (isa<GEPOperator>(use.getUser())) {
            if (!for_each_access(*use.getUser(), visit))
                return false;
            continue;
        }
        if (!visit(use))
            return false;
    }
    return true;
}

bool is_change(const Use &use) {
    const User *user = use.getUser();
    if (const auto *store = dyn_cast<StoreInst>(user))
        return use.getOperandNo() == StoreInst::getPointerOperandIndex() && !store->isVolatile();
    if (const auto *set = dyn_cast<MemIntrinsic>(user))
        return use.getOperandNo() == 0 && !set->isVolatile();
    const auto *call = dyn_cast<CallBase>(user);
    return call && call->isArgOperand(&use) && fills_in(*call);
}

bool is_plain_load(const Use &use) {
    const auto *load = dyn_cast<LoadInst>(use.getUser());
    return load && !load->isVolatile();
}

// The member lists of version words name the variable too; a user's table of pointers would let it be changed unseen.
bool is_in_own_constant(const Use &use) {
    const User *user = use.getUser();
    if (const auto *variable = dyn_cast<GlobalVariable>(user))
        return variable->getName().starts_with(group_members_name);
    return isa<ConstantAggregate>(user) && llvm::all_of(user->uses(), is_in_own_constant);
}

}  // namespace

bool is_watchable(const GlobalVariable &variable) {
    if (!variable.hasLocalLinkage() || variable.isThreadLocal() || variable.isConstant())
        return false;
    return for_each_access(const_cast<GlobalVariable &>(variable), [](const Use &use) {
        return is_change(use) || is_plain_load(use) || is_in_own_constant(use);
    });
}

void refresh_after_changes(GlobalVariable &variable, Constant *group) {
    SmallVector<Instruction *, 8> changes;
    for_each_access(variable, [&](const Use &use) {
        if (is_change(use))
            changes.push_back(cast<Instruction>(use.getUser()));
        return true;
    });
    Module &module = *variable.getParent();
    const FunctionCallee refresh = declare(module, ABI_SYMBOL(thalweg_group_refresh));
    for (Instruction *change : changes) {
        BasicBlock::iterator after = std::next(change->getIterator());
        if (const auto *invoke = dyn_cast<InvokeInst>(change))
            after = invoke->getNormalDest()->getFirstInsertionPt();
        IRBuilder<> builder(&*after);
        builder.SetCurrentDebugLocation(change->getDebugLoc());
        builder.CreateCall(refresh, {group});
    }
}

}  // namespace thalweg::transform
