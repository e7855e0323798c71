// transform: follows a descriptor back to the calls that opened it.
#include "transform/system_call/own_descriptor.h"

#include <array>

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

#include "transform/ir/use.h"

namespace thalweg::transform {

using namespace llvm;

namespace {

constexpr std::array openers = {StringLiteral("open"),     StringLiteral("open64"), StringLiteral("openat"),
                                StringLiteral("openat64"), StringLiteral("creat"),  StringLiteral("creat64")};
// A child has its parent's offsets; so has who gets a descriptor in a message. With dup2 a descriptor is another file's, with syscall, a
// ring or an operation in the background anything may happen.
constexpr std::array sharers = {StringLiteral("fork"),
                                StringLiteral("vfork"),
                                StringLiteral("_Fork"),
                                StringLiteral("clone"),
                                StringLiteral("posix_spawn"),
                                StringLiteral("posix_spawnp"),
                                StringLiteral("system"),
                                StringLiteral("popen"),
                                StringLiteral("forkpty"),
                                StringLiteral("daemon"),
                                StringLiteral("sendmsg"),
                                StringLiteral("sendmmsg"),
                                StringLiteral("dup2"),
                                StringLiteral("dup3"),
                                StringLiteral("syscall"),
                                StringLiteral("aio_read"),
                                StringLiteral("aio_write"),
                                StringLiteral("lio_listio"),
                                StringLiteral("aio_read64"),
                                StringLiteral("aio_write64"),
                                StringLiteral("lio_listio64"),
                                StringLiteral("io_uring_setup"),
                                StringLiteral("io_uring_queue_init"),
                                StringLiteral("io_submit")};

class Tracer {
  public:
    bool is_own(const Value &value) {
        if (!seen_.insert(&value).second)
            return true;
        if (const auto *number = dyn_cast<ConstantInt>(&value))
            return number->isNegative();  // no descriptor at all
        if (const auto *phi = dyn_cast<PHINode>(&value))
            return all_of(phi->incoming_values(), [&](const Use &one) { return is_own(*one.get()); });
        if (const auto *choice = dyn_cast<SelectInst>(&value))
            return is_own(*choice->getTrueValue()) && is_own(*choice->getFalseValue());
        if (isa<FreezeInst>(value) || isa<TruncInst>(value) || isa<SExtInst>(value) || isa<ZExtInst>(value))
            return is_own(*cast<Instruction>(value).getOperand(0));
        if (const auto *argument = dyn_cast<Argument>(&value))
            return all_callers_own(*argument);
        const auto *call = dyn_cast<CallBase>(&value);
        const Function *callee = call ? call->getCalledFunction() : nullptr;
        return callee && callee->isDeclaration() && is_contained(openers, callee->getName());
    }

  private:
    bool all_callers_own(const Argument &argument) {
        const Function &function = *argument.getParent();
        return function.hasLocalLinkage() && all_of(function.uses(), [&](const Use &use) {
                   const auto *call = dyn_cast<CallBase>(use.getUser());
                   return call && call->isCallee(&use) && is_own(*call->getArgOperand(argument.getArgNo()));
               });
    }

    SmallPtrSet<const Value *, 16> seen_;
};

}  // namespace

std::string sharer_in(const Module &module) {
    for (const StringRef name : sharers)
        if (uses(module, name))
            return name.str();
    return {};
}

bool is_own_descriptor(const Value &descriptor) { return Tracer().is_own(descriptor); }

}  // namespace thalweg::transform
