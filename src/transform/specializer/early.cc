// transform: the straight way to a loop, on which the objects are set up that the loop works on: a region may begin there.
#include "transform/specializer/early.h"

#include <map>
#include <set>

#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IntrinsicInst.h"

namespace thalweg::transform::specializer {

using namespace llvm;

namespace {

// What is loaded before such instructions would have been loaded after them just as well.
bool is_plain(const Instruction &instruction) {
    if (instruction.isLifetimeStartOrEnd() || isa<DbgInfoIntrinsic>(instruction))
        return true;
    if (const auto *load = dyn_cast<LoadInst>(&instruction))
        return load->isSimple();
    if (const auto *store = dyn_cast<StoreInst>(&instruction))
        return store->isSimple();
    return !instruction.mayReadOrWriteMemory() && isGuaranteedToTransferExecutionToSuccessor(&instruction);
}

bool is_pointer_load(const Instruction &instruction) {
    return isa<LoadInst>(instruction) && instruction.getType()->isPointerTy();
}

class Walk {
  public:
    Walk(function_ref<bool(const Value *)> is_known, TypeTags &types) : is_known_(is_known), types_(types) {}

    void step(Instruction &instruction) {
        if (Value *address = getLoadStorePointerOperand(&instruction))
            note_readable(*address, *getLoadStoreType(&instruction), instruction);
        if (auto *store = dyn_cast<StoreInst>(&instruction))
            stores_.emplace_back(store,
                                 bytes_of(*store->getPointerOperand(), *store->getValueOperand()->getType(), *store));
        else if (is_pointer_load(instruction))
            take(cast<LoadInst>(instruction));
    }

    Early take_found() {
        std::vector<BytesBehind> stored;
        for (const auto &[store, bytes] : stores_)
            stored.push_back(bytes);
        return {std::move(found_), std::move(readable_), std::move(stored)};
    }

  private:
    BytesBehind bytes_of(Value &address, Type &type, const Instruction &at) const {
        const DataLayout &layout = at.getDataLayout();
        APInt offset(layout.getIndexTypeSizeInBits(address.getType()), 0);
        const Value *base = address.stripAndAccumulateConstantOffsets(layout, offset, /*AllowNonInbounds=*/true);
        if (const auto first = first_at_.find(base); first != first_at_.end())
            base = first->second;
        const int64_t begin = offset.getSExtValue();
        return {base, begin, begin + static_cast<int64_t>(layout.getTypeStoreSize(&type).getKnownMinValue())};
    }

    void note_readable(Value &address, Type &type, const Instruction &at) {
        const BytesBehind bytes = bytes_of(address, type, at);
        const auto *load = dyn_cast<LoadInst>(bytes.base);
        if (is_known_(bytes.base) || (load && taken_.contains(load)))
            readable_.push_back(bytes);
    }

    enum class Stored { elsewhere, perhaps_there, there };

    // Where stores on the way have gone so far, seen from a load.
    Stored stored_before(const LoadInst &load, const BytesBehind &from) {
        Stored stored = Stored::elsewhere;
        for (const auto &[store, bytes] : stores_) {
            if (bytes.base == from.base && bytes.begin < from.end && from.begin < bytes.end)
                return Stored::there;
            if (bytes.base != from.base && !lie_apart(*store, load))
                stored = Stored::perhaps_there;
        }
        return stored;
    }

    bool lie_apart(const StoreInst &store, const LoadInst &load) {
        const Value *one = getUnderlyingObject(store.getPointerOperand());
        const Value *other = getUnderlyingObject(load.getPointerOperand());
        return (one != other && isIdentifiedObject(one) && isIdentifiedObject(other)) ||
               types_.differ(store.getMetadata(LLVMContext::MD_tbaa), load.getMetadata(LLVMContext::MD_tbaa));
    }

    // What lies there before the way may be another pointer than the one that the load finds, if a store has perhaps gone there: whether it has, the
    // region's test tells. Until then nobody may follow it.
    void take(LoadInst &load) {
        const BytesBehind from = bytes_of(*load.getPointerOperand(), *load.getType(), load);
        const Stored stored = stored_before(load, from);
        const auto known = by_place_.find({from.base, from.begin});
        if (stored == Stored::elsewhere && known != by_place_.end())
            first_at_[&load] = known->second;
        const auto *behind = dyn_cast<LoadInst>(from.base);
        const bool is_behind = behind && taken_.contains(behind);
        if (stored == Stored::there || known != by_place_.end() || (!is_behind && !is_known_(from.base)))
            return;
        found_.push_back({&load, const_cast<Value *>(from.base), is_behind ? behind : nullptr, from.begin});
        by_place_[{from.base, from.begin}] = &load;
        if (stored == Stored::elsewhere)
            taken_.insert(&load);
    }

    function_ref<bool(const Value *)> is_known_;
    TypeTags &types_;
    std::vector<EarlyPointer> found_;
    std::vector<BytesBehind> readable_;
    std::vector<std::pair<const StoreInst *, BytesBehind>> stores_;
    std::set<const LoadInst *> taken_;  // of these the ones that may be followed; looked up only, as are the maps
    std::map<std::pair<const Value *, int64_t>, const LoadInst *> by_place_;
    std::map<const Value *, const LoadInst *> first_at_;  // a load of what another has loaded: that one
};

}  // namespace

std::vector<const BasicBlock *> straight_way_to(const Loop &loop) {
    std::vector<const BasicBlock *> way;
    const Loop *around = loop.getParentLoop();
    for (const BasicBlock *block = loop.getLoopPredecessor(); block && all_of(*block, is_plain);
         block = block->getSinglePredecessor()) {
        if ((around && !around->contains(block)) || is_contained(way, block))
            break;
        way.push_back(block);
        if (around && around->getHeader() == block)
            break;
        if (const BasicBlock *before = block->getSinglePredecessor(); !before || !before->getSingleSuccessor())
            break;
    }
    std::reverse(way.begin(), way.end());
    const auto has = [&](function_ref<bool(const Instruction &)> is_such) {
        return any_of(way, [&](const BasicBlock *block) { return any_of(*block, is_such); });
    };
    if (!has([](const Instruction &one) { return isa<StoreInst>(one); }) || !has(is_pointer_load))
        return {};
    return way;
}

Early early_on(const std::vector<const BasicBlock *> &way, function_ref<bool(const Value *)> is_known,
               TypeTags &types) {
    Walk walk(is_known, types);
    for (const BasicBlock *block : way)
        for (Instruction &instruction : const_cast<BasicBlock &>(*block))
            walk.step(instruction);
    return walk.take_found();
}

}  // namespace thalweg::transform::specializer
