// transform: what tells that a function which its author keeps out of line is no more.
#include "transform/specializer/out_of_line.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

#include "transform/specializer/frame.h"

namespace thalweg::transform::specializer {

using namespace llvm;

namespace {

bool is_of_the_thread(const Value &value) {
    if (const auto *variable = dyn_cast<GlobalVariable>(&value))
        return variable->isThreadLocal();
    const auto *constant = dyn_cast<ConstantExpr>(&value);
    return constant && any_of(constant->operands(), [](const Use &one) { return is_of_the_thread(*one); });
}

// Where a variable of the thread lies is asked once for each function: a program that goes on in another thread in between, as fibers do, keeps the
// question in a function of its own. __errno_location is such a question too.
bool asks_where_the_thread_is(const Instruction &instruction) {
    if (any_of(instruction.operands(), [](const Use &one) { return is_of_the_thread(*one); }))
        return true;
    const auto *call = dyn_cast<CallBase>(&instruction);
    return call && call->getType()->isPointerTy() && call->doesNotAccessMemory() && !isa<IntrinsicInst>(call) &&
           (!call->getCalledFunction() || call->getCalledFunction()->isDeclaration());
}

// How programs ask in which direction the stack grows, and how deep it is: by where a function's own variable lies.
bool tells_where_it_lies(const AllocaInst &variable) {
    SmallVector<const Value *, 8> work{&variable};
    SmallPtrSet<const Value *, 8> seen;
    while (!work.empty()) {
        const Value *address = work.pop_back_val();
        if (!seen.insert(address).second)
            continue;
        for (const User *user : address->users()) {
            const auto *store = dyn_cast<StoreInst>(user);
            const auto *compare = dyn_cast<ICmpInst>(user);
            if (isa<PtrToIntInst, ReturnInst>(user) || (store && store->getValueOperand() == address) ||
                (compare && !isa<ConstantPointerNull>(compare->getOperand(0)) &&
                 !isa<ConstantPointerNull>(compare->getOperand(1))))
                return true;
            if (isa<GetElementPtrInst, CastInst, PHINode, SelectInst>(user))
                work.push_back(user);
        }
    }
    return false;
}

// As code does that clears the stack behind it.
bool writes_for_somebody_else(const Instruction &instruction) {
    const auto *store = dyn_cast<StoreInst>(&instruction);
    return store && store->isVolatile() && isa<AllocaInst>(store->getPointerOperand()->stripInBoundsOffsets());
}

}  // namespace

bool is_kept_out_of_line(const Function &function) {
    return function.hasFnAttribute(Attribute::NoInline) || function.hasOptNone();
}

bool is_inside_of_what_is_kept_out_of_line(const Context &context) {
    for (const Context *one = &context; one->caller; one = one->caller)
        if (is_kept_out_of_line(one->info->function()))
            return true;
    return false;
}

std::string why_it_stays_out_of_line(const Function &function) {
    for (const Instruction &instruction : instructions(function)) {
        const auto *call = dyn_cast<CallBase>(&instruction);
        const auto *variable = dyn_cast<AllocaInst>(&instruction);
        if (asks_where_the_thread_is(instruction))
            return "its author forbids to inline it, or its caller, and it asks where a variable of its thread lies";
        if (call && call->isInlineAsm())
            return "its author forbids to inline it, or its caller, and it has assembler in it";
        if ((variable && tells_where_it_lies(*variable)) || writes_for_somebody_else(instruction))
            return "its author forbids to inline it, or its caller, and where its own variables lie can be seen";
    }
    return {};
}

}  // namespace thalweg::transform::specializer
