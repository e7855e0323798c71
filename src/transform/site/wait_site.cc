// transform: finds triggers and waits.
#include "transform/site/wait_site.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/StructuralHash.h"

#include "transform/site/crossing_mark.h"
#include "transform/site/dispatch_site.h"

namespace thalweg::transform {

using namespace llvm;

namespace {

// What follows a wait at once tells its place; further on stands what the program does then.
constexpr size_t blocks_that_tell = 8;

bool takes_frame_only(const Function &function) {
    const FunctionType &type = *function.getFunctionType();
    return function.getCallingConv() == CallingConv::Fast && type.getReturnType()->isVoidTy() &&
           type.getNumParams() == 1 && type.getParamType(0)->isPointerTy();
}

// The function that a frame begins with: with another of its kind, the one that destroys it, behind it.
bool goes_on(Function &function) {
    if (function.isDeclaration() || !takes_frame_only(function))
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

// The load that a value is made of alone; null: there is none.
const LoadInst *load_of(const Value *value) {
    while (const auto *instruction = dyn_cast<Instruction>(value)) {
        if (const auto *load = dyn_cast<LoadInst>(instruction))
            return load;
        const bool is_of_one = isa<CastInst>(instruction) || (isa<ICmpInst, BinaryOperator>(instruction) &&
                                                              isa<Constant>(instruction->getOperand(1)));
        if (!is_of_one)
            return nullptr;
        value = instruction->getOperand(0);
    }
    return nullptr;
}

// Where in its frame a function keeps behind which wait it is to go on.
struct Index {
    const Argument *frame = nullptr;
    int64_t offset = 0;

    bool is_at(const Value *address) const {
        APInt from_base(64, 0);
        const Value *base =
            address->stripAndAccumulateConstantOffsets(frame->getParent()->getDataLayout(), from_base, true);
        return base == frame && from_base.getSExtValue() == offset;
    }
};

std::optional<Index> index_of(const Value &asked, const Function &function) {
    const LoadInst *load = load_of(&asked);
    if (!load)
        return {};
    APInt offset(64, 0);
    const Argument *frame = function.getArg(0);
    const Value *base =
        load->getPointerOperand()->stripAndAccumulateConstantOffsets(function.getDataLayout(), offset, true);
    return base == frame ? std::optional(Index{frame, offset.getSExtValue()}) : std::nullopt;
}

// The value of the index with which the function takes this way; none: not told.
std::optional<uint64_t> value_on_way(const Instruction &end, const BasicBlock &way) {
    if (const auto *choice = dyn_cast<SwitchInst>(&end)) {
        for (const auto &one : choice->cases())
            if (one.getCaseSuccessor() == &way)
                return one.getCaseValue()->getZExtValue();
        return {};
    }
    const auto &branch = cast<BranchInst>(end);
    if (isa<ICmpInst>(branch.getCondition()))
        return {};
    return branch.getSuccessor(0) == &way ? 1 : 0;
}

// Where the function stores this value of the index, it is about to wait.
model::SourcePlace place_of_wait(const Function &function, const Index &index, uint64_t value) {
    for (const Instruction &instruction : instructions(function)) {
        const auto *store = dyn_cast<StoreInst>(&instruction);
        const auto *stored = store ? dyn_cast<ConstantInt>(store->getValueOperand()) : nullptr;
        if (stored && stored->getZExtValue() == value && index.is_at(store->getPointerOperand()))
            if (const model::SourcePlace place = place_of(*store); place.line != 0)
                return place;
    }
    return {};
}

// Where the function hands on to others, in place of its return, it has come to a wait.
model::SourcePlace place_of_handing_on(const Function &function) {
    for (const BasicBlock &block : function)
        if (const CallInst *last = block.getTerminatingMustTailCall())
            if (const model::SourcePlace place = place_of(*last); place.line != 0)
                return place;
    return {};
}

// The instruction that asks the frame where to go on, and where it leads; none: the function has one wait.
struct Ways {
    const Instruction *end = nullptr;
    Index index;
    SmallSetVector<BasicBlock *, 8> blocks;
};

Ways ways_on(Function &function) {
    Ways ways;
    Instruction *end = function.getEntryBlock().getTerminator();
    const auto *branch = dyn_cast<BranchInst>(end);
    const auto *choice = dyn_cast<SwitchInst>(end);
    const Value *asked = nullptr;
    if (choice)
        asked = choice->getCondition();
    else if (branch && branch->isConditional())
        asked = branch->getCondition();
    const std::optional<Index> index = asked ? index_of(*asked, function) : std::nullopt;
    if (!index)
        return ways;
    for (BasicBlock *way : successors(end))
        if (!isa<UnreachableInst>(way->getFirstNonPHIOrDbg()))
            ways.blocks.insert(way);
    if (ways.blocks.size() == 1)
        ways.blocks.clear();
    ways.end = end;
    ways.index = *index;
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

model::SourcePlace place_of_way(Function &function, const Ways &ways, BasicBlock &way) {
    if (const std::optional<uint64_t> value = value_on_way(*ways.end, way))
        if (const model::SourcePlace place = place_of_wait(function, ways.index, *value); place.line != 0)
            return place;
    return place_behind(way, ways.blocks);
}

model::SourcePlace place_of_only_wait(Function &function) {
    const model::SourcePlace place = place_of_handing_on(function);
    return place.line != 0 ? place : place_behind(function.getEntryBlock(), {});
}

void add_trigger(Function &function, std::vector<WaitSite> &sites) {
    sites.push_back({&function,
                     nullptr,
                     {function.getName().str(), 0, StructuralHash(function, true), model::SiteKind::trigger, {}}});
}

void add_waits(Function &function, std::vector<WaitSite> &sites) {
    const uint64_t hash = StructuralHash(function, true);
    const auto add = [&](BasicBlock *block, uint32_t ordinal, model::SourcePlace place) {
        sites.push_back(
            {&function, block, {function.getName().str(), ordinal, hash, model::SiteKind::wait, std::move(place)}});
    };
    const Ways ways = ways_on(function);
    if (ways.blocks.empty())
        add(nullptr, 0, place_of_only_wait(function));
    uint32_t ordinal = 0;
    for (BasicBlock *way : ways.blocks)
        add(way, ordinal++, place_of_way(function, ways, *way));
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
