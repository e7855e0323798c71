// transform: finds triggers and waits.
#include "transform/wait_site.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/StructuralHash.h"

#include "transform/crossing_mark.h"
#include "transform/dispatch_site.h"
#include "transform/resumption.h"

namespace thalweg::transform {

using namespace llvm;

namespace {

// What follows a wait at once tells its place; further on stands what the program does then.
constexpr size_t blocks_that_tell = 8;

// The function that a frame begins with: with another of its kind, the one that destroys it, behind it.
bool goes_on(Function &function) {
    if (function.isDeclaration() || !takes_frame_only(*function.getFunctionType(), function.getCallingConv()))
        return false;
    return any_of(function.users(), [&](const User *user) {
        const auto *store = dyn_cast<StoreInst>(user);
        return store && store->getValueOperand() == &function &&
               any_of(store->getPointerOperand()->users(), [](const User *other) {
                   const auto *address = dyn_cast<GetElementPtrInst>(other);
                   return address && any_of(address->users(), [&](const User *last) {
                              const auto *second = dyn_cast<StoreInst>(last);
                              return second && second->getPointerOperand() == address &&
                                     second->getValueOperand()->getType()->isPointerTy();
                          });
               });
    });
}

// Whether a value is made of what the frame holds alone.
bool is_of_frame(const Value *value, const Argument &frame) {
    while (const auto *instruction = dyn_cast<Instruction>(value)) {
        const bool is_of_one = isa<CastInst, LoadInst, GetElementPtrInst>(instruction) ||
                               (isa<ICmpInst, BinaryOperator>(instruction) && isa<Constant>(instruction->getOperand(1)));
        if (!is_of_one)
            return false;
        value = instruction->getOperand(0);
    }
    return value == &frame;
}

// Where the function goes on, if it asks its frame for that; none: it has one wait.
SmallSetVector<BasicBlock *, 8> ways_on(Function &function) {
    SmallSetVector<BasicBlock *, 8> ways;
    Instruction *end = function.getEntryBlock().getTerminator();
    const auto *branch = dyn_cast<BranchInst>(end);
    const auto *choice = dyn_cast<SwitchInst>(end);
    const Value *asked = choice                             ? choice->getCondition()
                         : branch && branch->isConditional() ? branch->getCondition()
                                                             : nullptr;
    if (!asked || !is_of_frame(asked, *function.getArg(0)))
        return ways;
    for (BasicBlock *way : successors(end))
        if (!isa<UnreachableInst>(way->getFirstNonPHIOrDbg()))
            ways.insert(way);
    if (ways.size() == 1)
        ways.clear();
    return ways;
}

model::SourcePlace place_behind(BasicBlock &first, const SmallSetVector<BasicBlock *, 8> &others) {
    SmallSetVector<BasicBlock *, blocks_that_tell> seen;
    seen.insert(&first);
    for (size_t at = 0; at < seen.size() && at < blocks_that_tell; ++at) {
        for (const Instruction &instruction : *seen[at])
            if (const model::SourcePlace place = place_of(instruction); place.line != 0)
                return place;
        for (BasicBlock *next : successors(seen[at]))
            if (!others.contains(next))
                seen.insert(next);
    }
    return {};
}

void add_trigger(Function &function, std::vector<WaitSite> &sites) {
    sites.push_back({&function, nullptr,
                     {function.getName().str(), 0, StructuralHash(function, true), model::SiteKind::trigger, {}}});
}

void add_waits(Function &function, std::vector<WaitSite> &sites) {
    const uint64_t hash = StructuralHash(function, true);
    SmallSetVector<BasicBlock *, 8> ways = ways_on(function);
    const bool is_only = ways.empty();
    if (is_only)
        ways.insert(&function.getEntryBlock());
    uint32_t ordinal = 0;
    for (BasicBlock *way : ways)
        sites.push_back({&function, is_only ? nullptr : way,
                         {function.getName().str(), ordinal++, hash, model::SiteKind::wait, place_behind(*way, ways)}});
}

}  // namespace

std::vector<WaitSite> find_wait_sites(Module &module) {
    std::vector<WaitSite> sites;
    for (Function &function : module)
        if (!function.isDeclaration() && is_trigger(function))
            add_trigger(function, sites);
        else if (goes_on(function))
            add_waits(function, sites);
    return sites;
}

}  // namespace thalweg::transform
