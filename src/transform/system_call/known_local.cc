// transform: follows the ways from where a variable's address is given away, up to where it begins a new life.
#include "transform/system_call/known_local.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/CaptureTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/IntrinsicInst.h"

#include "transform/system_call/site.h"

namespace thalweg::transform {

using namespace llvm;

namespace {

constexpr unsigned most_uses = 1000;  // that are looked at: a function has 4,000 instructions at most (unfold.cc)

struct Givers : CaptureTracker {
    void tooManyUses() override { are_too_many = true; }
    bool captured(const Use *use) override {
        const auto *call = dyn_cast<CallBase>(use->getUser());
        const knowledge::SystemCall *known = call && call->isArgOperand(use) ? called_system_call(*call) : nullptr;
        const bool is_for_bytes = known && known->gives == knowledge::Gives::bytes && known->buffer >= 0 &&
                                  call->getArgOperandNo(use) == static_cast<unsigned>(known->buffer);
        if (!is_for_bytes)
            all.push_back(cast<Instruction>(use->getUser()));
        return false;
    }
    SmallVector<const Instruction *> all;
    bool are_too_many = false;
};

enum class Meets { nothing, place, new_life };

Meets met_from(const Instruction *one, const AllocaInst &local, const Instruction &place) {
    for (; one; one = one->getNextNode()) {
        if (one == &place)
            return Meets::place;
        const auto *mark = dyn_cast<IntrinsicInst>(one);
        if (mark && mark->getIntrinsicID() == Intrinsic::lifetime_start &&
            mark->getArgOperand(1)->stripPointerCasts() == &local)
            return Meets::new_life;
    }
    return Meets::nothing;
}

}  // namespace

bool may_be_known_to_others(const AllocaInst &local, const Instruction &place) {
    Givers givers;
    PointerMayBeCaptured(&local, &givers, most_uses);
    if (givers.are_too_many)
        return true;
    SmallVector<const Instruction *> open;
    for (const Instruction *giver : givers.all)
        open.push_back(giver);
    SmallPtrSet<const BasicBlock *, 32> entered;
    while (!open.empty()) {
        const Instruction *from = open.pop_back_val();
        const Meets met = met_from(from, local, place);
        if (met == Meets::place)
            return true;
        if (met == Meets::nothing)
            for (const BasicBlock *next : successors(from->getParent()))
                if (entered.insert(next).second)
                    open.push_back(&next->front());
    }
    return false;
}

}  // namespace thalweg::transform
