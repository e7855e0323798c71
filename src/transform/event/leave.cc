// transform: where a line goes when a guard fails in it.
#include "transform/event/leave.h"

#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/MemoryLocation.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/SSAUpdater.h"

#include "transform/site/dispatch_site.h"

namespace thalweg::transform {

using namespace llvm;

namespace {

bool has_effect(const Instruction &instruction) {
    return instruction.mayHaveSideEffects() || isa<AllocaInst>(instruction);
}

// What comes before `call` in an iteration, on the ways that lead to it.
SmallVector<Instruction *, 32> instructions_before(const Loop &loop, CallBase *call) {
    SmallVector<Instruction *, 32> found;
    SmallPtrSet<BasicBlock *, 8> seen;
    SmallVector<BasicBlock *, 8> work{call->getParent()};
    while (!work.empty()) {
        BasicBlock *block = work.pop_back_val();
        for (Instruction &instruction : *block) {
            if (&instruction == call)
                break;
            found.push_back(&instruction);
        }
        if (block == loop.getHeader())
            continue;
        for (BasicBlock *before : predecessors(block))
            if (loop.contains(before) && seen.insert(before).second)
                work.push_back(before);
    }
    return found;
}

// The variable on the stack that the instruction only fills, as an argument that is passed by its address; null: it does
// something else.
const AllocaInst *filled_variable(const Instruction &instruction) {
    const Value *where = nullptr;
    if (const auto *store = dyn_cast<StoreInst>(&instruction); store && store->isSimple())
        where = store->getPointerOperand();
    else if (const auto *bytes = dyn_cast<MemIntrinsic>(&instruction); bytes && !bytes->isVolatile())
        where = bytes->getDest();
    else if (const auto *mark = dyn_cast<IntrinsicInst>(&instruction); mark && mark->isLifetimeStartOrEnd())
        where = mark->getArgOperand(1);
    return where ? dyn_cast<AllocaInst>(getUnderlyingObject(where)) : nullptr;
}

// Whether the instruction may read what the variable holds.
bool may_read(Instruction &instruction, const AllocaInst &variable, AAResults &aliases) {
    const MemoryLocation whole = MemoryLocation::getBeforeOrAfter(&variable);
    if (const auto *copy = dyn_cast<MemTransferInst>(&instruction))
        return !aliases.isNoAlias(MemoryLocation::getForSource(copy), whole);
    return instruction.mayReadFromMemory() && !filled_variable(instruction) &&
           isRefSet(aliases.getModRefInfo(&instruction, whole));
}

// Whether the variable is filled on some way from behind `read` to `call`. A new life of the variable ends the way: what was read before is of
// nothing that the variable holds then.
bool is_filled_behind(Instruction &read, const AllocaInst &variable, const Loop &loop, const CallBase &call) {
    SmallPtrSet<const BasicBlock *, 8> seen;
    SmallVector<const Instruction *, 8> work{read.getNextNode()};
    while (!work.empty()) {
        const Instruction *at = work.pop_back_val();
        for (; at && at != &call; at = at->getNextNode()) {
            const auto *mark = dyn_cast<LifetimeIntrinsic>(at);
            if (mark && mark->getIntrinsicID() == Intrinsic::lifetime_start && mark->getArgOperand(1) == &variable)
                break;
            if (filled_variable(*at) == &variable)
                return true;
            if (!at->isTerminator())
                continue;
            for (const BasicBlock *next : successors(at->getParent()))
                if (next != loop.getHeader() && loop.contains(next) && seen.insert(next).second)
                    work.push_back(&next->front());
        }
    }
    return false;
}

}  // namespace

BasicBlock *new_block(const Twine &name, BasicBlock *before) {
    return BasicBlock::Create(before->getContext(), name, before->getParent(), before);
}

void add_jump(BasicBlock *from, BasicBlock *to, const DebugLoc &location) {
    IRBuilder<> builder(from);
    builder.SetCurrentDebugLocation(location);
    builder.CreateBr(to);
}

BranchInst *add_guard(BasicBlock *block, Value *holds, BasicBlock *on, BasicBlock *leave, const DebugLoc &location) {
    IRBuilder<> builder(block);
    builder.SetCurrentDebugLocation(location);
    BranchInst *branch = builder.CreateCondBr(holds, on, leave, likely(block->getContext()));
    mark_leave(*branch, 1);
    return branch;
}

BasicBlock *leave_block(BasicBlock *header, ArrayRef<Value *> state, const DebugLoc &location) {
    BasicBlock *leave = new_block("thalweg.leave", header);
    add_jump(leave, header, location);
    enter_loop(header, leave, state);
    return leave;
}

bool acts_before(const Loop &loop, CallBase *call, AAResults &aliases) {
    const auto before = instructions_before(loop, call);
    SmallPtrSet<const AllocaInst *, 4> filled;
    for (const Instruction *instruction : before) {
        if (!has_effect(*instruction))
            continue;
        const AllocaInst *variable = filled_variable(*instruction);
        if (!variable)
            return true;
        filled.insert(variable);
    }
    return llvm::any_of(before, [&](Instruction *instruction) {
        return llvm::any_of(filled, [&](const AllocaInst *variable) {
            return may_read(*instruction, *variable, aliases) && is_filled_behind(*instruction, *variable, loop, *call);
        });
    });
}

Leaves::Leaves(Loop &loop, bool begins_again)
    : loop_(loop), begins_again_(begins_again), dominators_(*loop.getHeader()->getParent()) {}

BasicBlock *Leaves::before(const Iteration &copy, Instruction &point, const DebugLoc &location) {
    if (begins_again_)
        return leave_block(loop_.getHeader(), copy.state, location);
    BasicBlock *leave = new_block("thalweg.leave", loop_.getHeader());
    add_jump(leave, rest_from(point), location);
    left_.push_back({leave, &copy, &point});
    return leave;
}

// Its header's phis are what they are in the iteration that is left. Nobody enters it by its header.
void Leaves::copy_rest() {
    nowhere_ = new_block("thalweg.nowhere", loop_.getHeader());
    std::vector<Value *> state;
    for (PHINode &phi : loop_.getHeader()->phis())
        state.push_back(PHINode::Create(phi.getType(), 0, phi.getName() + ".left", nowhere_));
    StraightLine line = copy_iterations(loop_, {}, 1, state);
    rest_ = std::move(line.iterations.front());
    for (BasicBlock *block : rest_.blocks)
        for (Instruction &one : *block)
            forget_site(one);
    add_jump(nowhere_, rest_.header, loop_.getHeader()->getTerminator()->getDebugLoc());
}

BasicBlock *Leaves::rest_from(Instruction &point) {
    if (!nowhere_)
        copy_rest();
    BasicBlock *&begin = begins_[&point];
    if (!begin) {
        auto *clone = cast<Instruction>(rest_.values.lookup(&point));
        begin = clone->getParent()->splitBasicBlock(clone->getIterator(), "thalweg.rest");
        ends_.push_back(begin);
    }
    return begin;
}

void Leaves::connect() {
    if (!nowhere_)
        return;
    for (BasicBlock *block : loop_.getBlocks())
        for (Instruction &one : *block)
            if (!one.getType()->isVoidTy())
                repair(one, *cast<Instruction>(rest_.values.lookup(&one)));
}

// What did not come before the point that was left is computed behind it, before it is used.
void Leaves::repair(Instruction &original, Instruction &clone) {
    BasicBlock *home = clone.getParent();
    SmallVector<Use *, 8> uses;
    for (Use &use : clone.uses())
        if (auto *user = cast<Instruction>(use.getUser()); user->getParent() != home || isa<PHINode>(user))
            uses.push_back(&use);
    if (uses.empty())
        return;
    SSAUpdater updater;
    updater.Initialize(clone.getType(), clone.getName());
    updater.AddAvailableValue(home, &clone);
    for (const Left &left : left_)
        updater.AddAvailableValue(left.block, dominators_.dominates(&original, left.point)
                                                  ? left.copy->values.lookup(&original)
                                                  : PoisonValue::get(clone.getType()));
    for (Use *use : uses)
        updater.RewriteUse(*use);
}

}  // namespace thalweg::transform
