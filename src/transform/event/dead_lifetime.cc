// transform: what is written to a frame or to arguments that the line itself never reads.
#include "transform/event/dead_lifetime.h"

#include <algorithm>

#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

#include "transform/ir/hot_path.h"

namespace thalweg::transform {

using namespace llvm;

namespace {

// A line longer than this is not searched.
constexpr size_t max_blocks_in_lifetime = 256;

using Writes = SmallVector<Instruction *, 8>;

// What a function does with one local object.
class Uses {
  public:
    enum class Kind { none, begin, end, write, other };  // the worst comes last

    explicit Uses(AllocaInst &object) {
        SmallVector<Value *, 8> pointers{&object};
        while (!pointers.empty())
            for (Use &use : pointers.pop_back_val()->uses())
                if (auto *derived = dyn_cast<GetElementPtrInst>(use.getUser()))
                    pointers.push_back(derived);
                else
                    note(*cast<Instruction>(use.getUser()), kind_of(use, object));
    }

    Kind of(const Instruction &one) const { return kinds_.lookup(&one); }

  private:
    // One that uses the object twice does the worse of the two.
    void note(const Instruction &user, Kind kind) {
        Kind &known = kinds_[&user];
        known = std::max(known, kind);
    }

    static Kind kind_of(const Use &use, const AllocaInst &object) {
        const auto *user = cast<Instruction>(use.getUser());
        if (const auto *intrinsic = dyn_cast<IntrinsicInst>(user); intrinsic && intrinsic->isLifetimeStartOrEnd()) {
            const bool whole = use.get() == &object;
            return !whole                                                     ? Kind::other
                   : intrinsic->getIntrinsicID() == Intrinsic::lifetime_start ? Kind::begin
                                                                              : Kind::end;
        }
        const auto *store = dyn_cast<StoreInst>(user);
        if (store && store->isSimple() && use.getOperandNo() == StoreInst::getPointerOperandIndex())
            return store->getValueOperand() == use.get() ? Kind::other : Kind::write;
        const auto *set = dyn_cast<MemSetInst>(user);
        return set && !set->isVolatile() ? Kind::write : Kind::other;
    }

    DenseMap<const Instruction *, Kind> kinds_;
};

// All that runs from one place on until the object's lifetime ends.
class Stretch {
  public:
    Stretch(const Uses &uses, BasicBlock *before) : uses_(uses), before_(before) {}

    // Whether nothing from here on reads the object or learns its address, and nothing leads into the stretch from outside.
    bool is_dead_from(ArrayRef<BasicBlock *> first) {
        blocks_.insert(first.begin(), first.end());
        for (size_t i = 0; i < blocks_.size() && blocks_.size() <= max_blocks_in_lifetime; ++i)
            if (!walk(blocks_[i]->begin()))
                return false;
        return blocks_.size() <= max_blocks_in_lifetime && !blocks_.contains(before_) &&
               llvm::all_of(blocks_, [&](BasicBlock *inside) {
                   return only_ends_.contains(inside) || llvm::all_of(predecessors(inside), [&](BasicBlock *from) {
                              return from == before_ || (blocks_.contains(from) && !only_ends_.contains(from));
                          });
               });
    }

    // From here to the end of the block; ends early where the lifetime does.
    bool walk(BasicBlock::iterator at) {
        BasicBlock *block = at->getParent();
        const size_t before = writes_.size();
        for (; at != block->end(); ++at)
            switch (uses_.of(*at)) {
            case Uses::Kind::none:
                break;
            case Uses::Kind::write:
                writes_.push_back(&*at);
                break;
            case Uses::Kind::end:
                if (writes_.size() == before)
                    only_ends_.insert(block);
                return true;
            case Uses::Kind::begin:
            case Uses::Kind::other:
                return false;
            }
        if (block != before_)
            blocks_.insert(succ_begin(block), succ_end(block));
        return true;
    }

    const Writes &writes() const { return writes_; }

  private:
    const Uses &uses_;
    BasicBlock *before_;
    BlockSet blocks_;
    // Whoever comes here from elsewhere misses nothing.
    BlockSet only_ends_;
    Writes writes_;
};

void erase(const Writes &writes) {
    for (Instruction *write : writes)
        write->eraseFromParent();
}

// The lifetime goes on behind the branch that ends `begin`'s block, and is dead on one side of it alone.
void move_to_other_side(BasicBlock *block, const Writes &above, const Uses &uses) {
    auto *branch = dyn_cast<BranchInst>(block->getTerminator());
    if (!branch || !branch->isConditional())
        return;
    for (unsigned side : {0U, 1U}) {
        BasicBlock *other = branch->getSuccessor(1 - side);
        Stretch stretch(uses, block);
        if (other->getSinglePredecessor() != block || !stretch.is_dead_from(branch->getSuccessor(side)))
            continue;
        erase(stretch.writes());
        const auto to = other->getFirstInsertionPt();
        for (Instruction *write : above)
            write->moveBefore(*other, to);
        return;
    }
}

void treat(IntrinsicInst *begin, const Uses &uses) {
    BasicBlock *block = begin->getParent();
    Stretch rest(uses, block);
    if (!rest.walk(std::next(begin->getIterator())))
        return;
    const bool ends_here = llvm::any_of(make_range(std::next(begin->getIterator()), block->end()),
                                        [&](Instruction &one) { return uses.of(one) == Uses::Kind::end; });
    const SmallVector<BasicBlock *, 2> next(successors(block));
    Stretch behind(uses, block);
    if (!ends_here && !behind.is_dead_from(next))
        return move_to_other_side(block, rest.writes(), uses);
    erase(rest.writes());
    if (!ends_here)
        erase(behind.writes());
}

}  // namespace

void remove_dead_lifetimes(Function &function) {
    for (Instruction &one : instructions(function)) {
        auto *object = dyn_cast<AllocaInst>(&one);
        if (!object)
            continue;
        SmallVector<IntrinsicInst *, 8> begins;
        for (User *user : object->users())
            if (auto *mark = dyn_cast<IntrinsicInst>(user); mark && mark->getIntrinsicID() == Intrinsic::lifetime_start)
                begins.push_back(mark);
        for (IntrinsicInst *begin : begins)
            treat(begin, Uses(*object));
    }
}

}  // namespace thalweg::transform
