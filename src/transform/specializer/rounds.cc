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

enum class Use { ends_loop, harmless, follow, decides };

// A branch on a comparison: the end of a loop whose rounds it counts, or the test before it whether there is a round at all.
Use use_in_branch(const ICmpInst &comparison, const BranchInst &branch, const LoopInfo &loops) {
    const Loop *loop = loops.getLoopFor(branch.getParent());
    const bool counts = loop && loop->isLoopExiting(branch.getParent()) &&
                        any_of(comparison.operands(), [&](const Value *one) { return !loop->isLoopInvariant(one); });
    if (counts)
        return Use::ends_loop;
    const auto *limit = dyn_cast<ConstantInt>(comparison.getOperand(1));
    const bool is_limit = limit && (comparison.isRelational() || limit->getValue().ule(1));
    return is_limit ? Use::harmless : Use::decides;
}

Use use_in(const ICmpInst &comparison, const LoopInfo &loops) {
    Use all = Use::harmless;
    for (const User *user : comparison.users()) {
        const auto *branch = dyn_cast<BranchInst>(user);
        const Use use = branch ? use_in_branch(comparison, *branch, loops) : Use::decides;
        if (use == Use::decides)
            return use;
        if (use == Use::ends_loop)
            all = use;
    }
    return all;
}

Use use_of(const User &user, const LoopInfo &loops) {
    if (const auto *comparison = dyn_cast<ICmpInst>(&user))
        return use_in(*comparison, loops);
    if (isa<CastInst, BinaryOperator, FreezeInst, PHINode>(user))
        return user.getType()->isIntegerTy() ? Use::follow : Use::harmless;
    // As an index, a length or what is stored it decides nothing.
    if (isa<GetElementPtrInst, StoreInst, MemIntrinsic>(user))
        return Use::harmless;
    const auto *intrinsic = dyn_cast<IntrinsicInst>(&user);
    return intrinsic && intrinsic->isAssumeLikeIntrinsic() ? Use::harmless : Use::decides;
}

}  // namespace

bool only_ends_loops(const Value &value, const LoopInfo &loops) {
    SmallSetVector<const Value *, 16> way;
    way.insert(&value);
    bool ends = false;
    for (size_t at = 0; at < way.size() && way.size() <= longest_way; ++at)
        for (const User *user : way[at]->users()) {
            const Use use = use_of(*user, loops);
            if (use == Use::decides)
                return false;
            ends |= use == Use::ends_loop;
            if (use == Use::follow)
                way.insert(user);
        }
    return ends && way.size() <= longest_way;
}

}  // namespace thalweg::transform::specializer
