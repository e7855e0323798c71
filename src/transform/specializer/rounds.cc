// transform: what a number is compared with, behind arithmetic and the loops that count with it.
#include "transform/specializer/rounds.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

namespace thalweg::transform::specializer {

using namespace llvm;

namespace {

// Values on the way from a number to what it decides; a loop bound has a handful.
constexpr size_t longest_way = 64;

enum class Use { harmless, ends_loop, meets_other, follow, decides };

// A branch on a comparison: the end of a loop whose rounds it counts, or the test before it whether there is a round at all.
Use use_in_branch(const ICmpInst &comparison, const BranchInst &branch, const LoopInfo &loops) {
    const Loop *loop = loops.getLoopFor(branch.getParent());
    const bool counts = loop && loop->isLoopExiting(branch.getParent()) &&
                        any_of(comparison.operands(), [&](const Value *one) { return !loop->isLoopInvariant(one); });
    if (counts)
        return Use::ends_loop;
    const auto *limit = dyn_cast<ConstantInt>(comparison.getOperand(1));
    const bool is_limit =
        limit && (comparison.isRelational() || limit->getValue().ule(1) || limit->getValue().isAllOnes());
    return is_limit ? Use::harmless : Use::decides;
}

Use use_in(const ICmpInst &comparison, const LoopInfo &loops) {
    const bool meets_other = none_of(comparison.operands(), [](const Value *one) { return isa<Constant>(one); });
    Use all = Use::harmless;
    for (const User *user : comparison.users()) {
        const auto *branch = dyn_cast<BranchInst>(user);
        Use use = branch ? use_in_branch(comparison, *branch, loops) : Use::decides;
        if (use == Use::decides && meets_other)
            use = Use::meets_other;
        all = std::max(all, use);
    }
    return all;
}

// Whether there is code that could be decided where the value is handed on to. What was computed from it, a number of bytes, is taken for a size there.
bool leads_into_body(const CallBase &call, const Value &value) {
    if (isa<BinaryOperator>(value))
        return false;
    const Function *callee = call.getCalledFunction();
    if (!callee)
        return true;
    const auto own = make_range(call.arg_begin(), call.arg_begin() + callee->arg_size());
    return !callee->isDeclaration() && is_contained(own, &value);
}

Use use_of(const User &user, const Value &value, const LoopInfo &loops) {
    if (const auto *comparison = dyn_cast<ICmpInst>(&user))
        return use_in(*comparison, loops);
    if (const auto *intrinsic = dyn_cast<IntrinsicInst>(&user); intrinsic && intrinsic->isAssumeLikeIntrinsic())
        return Use::harmless;
    // Of LLVM's own functions on numbers as well: the smaller of two.
    if (isa<CastInst, BinaryOperator, FreezeInst, PHINode, IntrinsicInst>(user))
        return user.getType()->isIntegerTy() ? Use::follow : Use::harmless;
    // As an index, a length or what is stored it decides nothing.
    if (isa<GetElementPtrInst, StoreInst, MemIntrinsic>(user))
        return Use::harmless;
    if (const auto *call = dyn_cast<CallBase>(&user))
        return leads_into_body(*call, value) ? Use::decides : Use::harmless;
    return Use::decides;
}

}  // namespace

NumberUse use_of_number(const Value &value, const LoopInfo &loops) {
    SmallSetVector<const Value *, 16> way;
    way.insert(&value);
    Use all = Use::harmless;
    for (size_t at = 0; at < way.size() && way.size() <= longest_way; ++at)
        for (const User *user : way[at]->users()) {
            const Use use = use_of(*user, *way[at], loops);
            if (use == Use::follow)
                way.insert(user);
            else
                all = std::max(all, use);
        }
    if (way.size() > longest_way || all == Use::harmless || all == Use::decides)
        return NumberUse::decides;
    return all == Use::ends_loop ? NumberUse::ends_loops : NumberUse::meets_others;
}

}  // namespace thalweg::transform::specializer
