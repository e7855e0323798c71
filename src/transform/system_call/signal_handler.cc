// transform: follows what is given to signal and sigaction to the functions that it may be.
#include "transform/system_call/signal_handler.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

#include "transform/ir/use.h"

namespace thalweg::transform {

using namespace llvm;
using knowledge::Callback;

namespace {

constexpr unsigned handler_argument = 1;  // or of a structure that holds it

// (int), (int, siginfo_t *, void *).
bool has_handlers_type(const Function &function) {
    if (function.arg_size() > 3)
        return false;
    return all_of(function.args(), [](const Argument &argument) {
        return argument.getArgNo() == 0 ? argument.getType()->isIntegerTy(32) : argument.getType()->isPointerTy();
    });
}

const Function *callee_of(const CallBase &call) {
    return dyn_cast<Function>(call.getCalledOperand()->stripPointerCastsAndAliases());
}

Callback callback_of(const CallBase &call) {
    const Function *callee = callee_of(call);
    return callee ? knowledge::function(std::string_view(callee->getName())).callback : Callback::anything;
}

bool is_taken(const Function &function) { return function.hasAddressTaken() || !function.hasLocalLinkage(); }

// Whether code that isn't seen is given the address itself.
bool is_given_to_others(const Value &address) {
    for (const Use &use : address.uses()) {
        if (const auto *call = dyn_cast<CallBase>(use.getUser())) {
            const Function *callee = callee_of(*call);
            const bool is_own = callee && !callee->isDeclarationForLinker() && !callee->isInterposable();
            if (!call->isCallee(&use) && !is_own && callback_of(*call) != Callback::called)
                return true;
        } else if (isa<ConstantExpr, GlobalAlias>(use.getUser()) && is_given_to_others(*use.getUser())) {
            return true;
        }
    }
    return false;
}

}  // namespace

SignalHandlers::SignalHandlers(const Module &module) {
    const auto take = [&](StringRef name, bool is_structure) {
        are_others_ |= is_called_elsewhere(module, name);
        const Function *registers = module.getFunction(name);
        if (!registers)
            return;
        for (const Use &use : registers->uses()) {
            const auto *call = dyn_cast<CallBase>(use.getUser());
            if (!call || !call->isCallee(&use) || call->arg_size() <= handler_argument)
                are_others_ = true;
            else if (const Value &given = *call->getArgOperand(handler_argument); is_structure)
                follow_stored(given);
            else
                follow(given);
        }
    };
    for (const knowledge::Name &one : knowledge::all_names())
        if (const Callback callback = one.function->callback;
            callback == Callback::handles_signal || callback == Callback::in_structure)
            take(one.name, callback == Callback::in_structure);
}

bool SignalHandlers::may_be(const Function &function) const {
    if (function.isDeclaration() || !is_taken(function))
        return false;
    return has_handlers_type(function) || known_.contains(&function) || is_given_to_others(function) ||
           (are_others_ && function.hasAddressTaken());
}

// What is registered: a function, SIG_DFL or SIG_IGN, what was registered before, or what is one of these on several paths.
void SignalHandlers::follow(const Value &handler) {
    const Value *given = handler.stripPointerCastsAndAliases();
    if (!followed_.insert(given).second)
        return;
    if (const auto *function = dyn_cast<Function>(given)) {
        known_.insert(function);
    } else if (const auto *constant = dyn_cast<Constant>(given)) {
        if (!constant->isNullValue() && !isa<ConstantInt, UndefValue>(constant) &&
            !(isa<ConstantExpr>(constant) && isa<ConstantInt>(constant->getOperand(0))))
            are_others_ = true;
    } else if (isa<PHINode, SelectInst>(given)) {
        const auto *choice = cast<Instruction>(given);
        for (const Use &one : drop_begin(choice->operands(), isa<SelectInst>(choice) ? 1 : 0))
            follow(*one);
    } else if (isa<PtrToIntInst, FreezeInst>(given)) {
        follow(*cast<Instruction>(given)->getOperand(0));
    } else if (const auto *argument = dyn_cast<Argument>(given)) {
        follow_argument(*argument);
    } else if (const auto *load = dyn_cast<LoadInst>(given)) {
        follow_stored(*load->getPointerOperand());
    } else if (const auto *call = dyn_cast<CallBase>(given); !call || callback_of(*call) != Callback::handles_signal) {
        are_others_ = true;
    }
}

void SignalHandlers::follow_argument(const Argument &argument) {
    const Function &function = *argument.getParent();
    if (is_taken(function)) {
        are_others_ = true;
        return;
    }
    for (const User *user : function.users())
        if (const auto *call = dyn_cast<CallBase>(user))
            follow(*call->getArgOperand(argument.getArgNo()));
}

// All that is ever stored in a variable whose address only the program's own accesses and such calls have.
void SignalHandlers::follow_stored(const Value &place) {
    const Value *object = getUnderlyingObject(&place);
    if (isa<ConstantPointerNull>(object) || !followed_.insert(object).second)
        return;
    const auto *global = dyn_cast<GlobalVariable>(object);
    if (!isa<AllocaInst>(object) && !(global && global->hasInitializer() && global->hasLocalLinkage())) {
        are_others_ = true;
        return;
    }
    if (global)
        take_from_initializer(*global->getInitializer());
    for (const User *user : object->users())
        follow_use(*user, *object);
}

void SignalHandlers::follow_use(const User &user, const Value &place) {
    if (isa<GEPOperator>(user) || Operator::getOpcode(&user) == Instruction::BitCast) {
        for (const User *next : user.users())
            follow_use(*next, user);
    } else if (const auto *store = dyn_cast<StoreInst>(&user)) {
        if (store->getValueOperand() == &place)
            are_others_ = true;
        else if (store->getValueOperand()->getType()->getScalarSizeInBits() >= 64 ||
                 store->getValueOperand()->getType()->isPtrOrPtrVectorTy())
            follow(*store->getValueOperand());
    } else if (const auto *call = dyn_cast<CallBase>(&user)) {
        follow_call(*call, place);
    } else if (!isa<LoadInst, ICmpInst>(user)) {
        are_others_ = true;
    }
}

void SignalHandlers::follow_call(const CallBase &call, const Value &place) {
    if (const auto *copy = dyn_cast<MemTransferInst>(&call)) {
        if (copy->getRawDest() == &place)
            follow_stored(*copy->getRawSource());
        else
            follow_stored(*copy->getRawDest());
        return;
    }
    if (!isa<MemSetInst>(call) && !call.isLifetimeStartOrEnd() && callback_of(call) != Callback::in_structure &&
        callback_of(call) != Callback::none_taken && !call.onlyReadsMemory())
        are_others_ = true;
}

void SignalHandlers::take_from_initializer(const Constant &initializer) {
    if (const auto *function = dyn_cast<Function>(initializer.stripPointerCastsAndAliases())) {
        known_.insert(function);
        return;
    }
    if (isa<GlobalValue>(initializer))
        return;
    for (const Use &one : initializer.operands())
        take_from_initializer(*cast<Constant>(one));
}

}  // namespace thalweg::transform
