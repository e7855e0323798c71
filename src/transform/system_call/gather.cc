// transform: a chain of writes becomes one vector write, in a copy of what lies between them.
#include "transform/system_call/gather.h"

#include "llvm/Analysis/MemoryLocation.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/SSAUpdater.h"

#include "abi/gathered_write.h"
#include "transform/ir/abi.h"
#include "transform/system_call/site.h"

namespace thalweg::transform {

using namespace llvm;

namespace {

// What is so small is copied when its call is reached, and may change afterwards.
constexpr uint64_t largest_copied = 64;
// Beyond, the crossing is not what a write costs: copying 1 MiB takes 100 times as long.
constexpr uint64_t most_bytes_of_a_part = 1 << 20;
constexpr uint32_t weight_of_likely = 1000;

Value *argument(const CallInst &call, int position) { return call.getArgOperand(static_cast<unsigned>(position)); }

struct Write {
    explicit Write(const CallInst &call) {
        const knowledge::SystemCall &kind = *called_system_call(call);
        descriptor = argument(call, kind.descriptor);
        buffer = argument(call, kind.buffer);
        size = argument(call, kind.size);
        offset = kind.offset < 0 ? nullptr : argument(call, kind.offset);
        layout = &call.getModule()->getDataLayout();
    }

    // In bytes; 0: it is written from where it lies.
    uint64_t copied() const {
        const auto *known = dyn_cast<ConstantInt>(size);
        if (!known || known->getValue().ugt(largest_copied) ||
            !is_within_local(*buffer, known->getZExtValue(), *layout))
            return 0;
        return known->getZExtValue();
    }

    Value *descriptor;
    Value *buffer;
    Value *size;
    Value *offset;  // null: the descriptor's own
    const DataLayout *layout;
};

// Memory that the copy has written, as it was.
struct Kept {
    AllocaInst *bytes;
    AllocaInst *address;
    AllocaInst *is_kept;
    uint64_t size;
};

class Gatherer {
  public:
    Gatherer(Function &function, const WriteChain &chain, const GatherState &state)
        : function_(function), module_(*function.getParent()), context_(function.getContext()), chain_(chain),
          state_(state), original_(chain.calls.front()->getParent()), before_(original_->getSinglePredecessor()) {}

    void run() {
        const auto count = static_cast<unsigned>(chain_.calls.size());
        parts_ = local(ArrayType::get(storage_of<iovec>(context_), count), "thalweg.parts");
        written_ = local(storage_of<thalweg_crossing_written>(context_), "thalweg.written");
        forget_lifetimes();
        leave_ = BasicBlock::Create(context_, "thalweg.leave", &function_);
        clone_blocks();
        for (const FaultTest &test : chain_.tests)
            leave_unless(test);
        for (const WeakTrackingVH &one : writing_)
            keep_before(*cast<Instruction>(one));
        for (unsigned i = 0; i < count; ++i)
            take_part(i);
        write_all();
        use_copies_results();
        put_back();
        decide();
        for (const FaultTest &test : chain_.tests)
            if (test.kind == FaultTest::Kind::divides)
                keep_division(*test.instruction, test.address);
        for (CallInst *call : chain_.calls)
            make_unless_written(*call);
    }

  private:
    AllocaInst *local(Type *type, const Twine &name) {
        BasicBlock &entry = function_.getEntryBlock();
        return new AllocaInst(type, module_.getDataLayout().getAllocaAddrSpace(), nullptr, name,
                              entry.getFirstInsertionPt());
    }

    // What is written at the end of the chain lives until then.
    void forget_lifetimes() {
        SmallPtrSet<const Value *, 8> locals;
        const auto local_of = [](const Instruction &one) -> const Value * {
            return one.isLifetimeStartOrEnd() ? getUnderlyingObject(cast<CallInst>(one).getArgOperand(1)) : nullptr;
        };
        for (const BasicBlock *block : chain_.blocks)
            for (const Instruction &one : *block)
                if (const Value *found = local_of(one))
                    locals.insert(found);
        for (BasicBlock &block : function_)
            for (Instruction &one : make_early_inc_range(block))
                if (const Value *found = local_of(one); found && locals.contains(found))
                    one.eraseFromParent();
    }

    BasicBlock *copy_of(BasicBlock *block) const {
        auto *found = dyn_cast_or_null<BasicBlock>(copies_.lookup(block));
        return found ? found : leave_;
    }

    void clone_blocks() {
        size_t calls = 0;
        for (size_t i = 0; i < chain_.blocks.size(); ++i) {
            order_[chain_.blocks[i]] = i;
            if (calls < chain_.calls.size() && chain_.blocks[i] == chain_.calls[calls]->getParent())
                ++calls;
            calls_until_[chain_.blocks[i]] = calls;
            copies_[chain_.blocks[i]] = CloneBasicBlock(chain_.blocks[i], copies_, ".gathered", &function_);
        }
        for (BasicBlock *block : chain_.blocks) {
            auto *copy = cast<BasicBlock>(copies_[block]);
            for (Instruction &one : make_early_inc_range(*copy)) {
                if (isa<AssumeInst>(one)) {
                    one.eraseFromParent();
                    continue;
                }
                if (auto *phi = dyn_cast<PHINode>(&one))
                    enter_from_copies(*phi, *block);
                else if (!one.isTerminator())
                    RemapInstruction(&one, copies_, RF_IgnoreMissingLocals | RF_NoModuleLevelChanges);
                if (written_local(one))
                    writing_.emplace_back(&one);
            }
            go_to_copies(*copy->getTerminator(), *block);
        }
    }

    // Whether the way is one of the copy's: forward, and past none of the calls.
    bool goes_on(const BasicBlock *from, const BasicBlock *to) const {
        const auto found = order_.find(to);
        if (found == order_.end() || !order_.contains(from) || found->second <= order_.lookup(from) || to == original_)
            return false;
        const size_t passed = calls_until_.lookup(from);
        const bool is_next_call = passed < chain_.calls.size() && to == chain_.calls[passed]->getParent();
        return is_next_call || calls_until_.lookup(to) == passed;
    }

    void enter_from_copies(PHINode &phi, BasicBlock &block) {
        for (unsigned i = phi.getNumIncomingValues(); i-- > 0;) {
            BasicBlock *from = phi.getIncomingBlock(i);
            if (!goes_on(from, &block)) {
                phi.removeIncomingValue(i, false);
                continue;
            }
            Value *value = phi.getIncomingValue(i);
            if (Value *copy = copies_.lookup(value))
                phi.setIncomingValue(i, copy);
            phi.setIncomingBlock(i, cast<BasicBlock>(copies_[from]));
        }
    }

    void go_to_copies(Instruction &terminator, BasicBlock &block) {
        for (unsigned i = 0; i < terminator.getNumOperands(); ++i) {
            Value *operand = terminator.getOperand(i);
            if (auto *to = dyn_cast<BasicBlock>(operand))
                terminator.setOperand(i, goes_on(&block, to) ? copy_of(to) : leave_);
            else if (Value *copy = copies_.lookup(operand))
                terminator.setOperand(i, copy);
        }
    }

    // In front of the copy of what is tested.
    void leave_unless(FaultTest test) {
        if (Value *copy = test.object ? static_cast<Value *>(copies_.lookup(test.object)) : nullptr)
            test.object = copy;
        auto *tested = dyn_cast_or_null<Instruction>(static_cast<Value *>(copies_.lookup(test.instruction)));
        if (!tested)
            return;
        BasicBlock *here = tested->getParent();
        BasicBlock *rest = SplitBlock(here, tested);
        ends_[cast<BasicBlock>(copies_[test.instruction->getParent()])] = rest;
        IRBuilder<> builder(here->getTerminator());
        BranchInst *branch = BranchInst::Create(rest, leave_, test_for_fault(builder, test, *tested));
        likely(*branch);
        ReplaceInstWithInst(here->getTerminator(), branch);
    }

    // Where the test has failed LLVM knows the divisor, and leaves out a division by zero with its fault: the program gets a divisor that LLVM
    // does not know.
    void keep_division(Instruction &division, unsigned divisor) {
        Value *known = division.getOperand(divisor);
        AllocaInst *unknown = local(known->getType(), "thalweg.divisor");
        IRBuilder<> builder(&division);
        builder.CreateStore(known, unknown);
        division.setOperand(divisor, builder.CreateLoad(known->getType(), unknown, true));
    }

    void keep_before(Instruction &one) {
        const auto *filled = dyn_cast<MemIntrinsic>(&one);
        auto *store = dyn_cast<StoreInst>(&one);
        const uint64_t size = filled ? cast<ConstantInt>(filled->getLength())->getZExtValue()
                                     : module_.getDataLayout().getTypeStoreSize(store->getValueOperand()->getType());
        Value *address = filled ? filled->getRawDest() : store->getPointerOperand();
        const Kept kept = {local(ArrayType::get(Type::getInt8Ty(context_), size), "thalweg.kept"),
                           local(PointerType::getUnqual(context_), "thalweg.kept_from"),
                           local(Type::getInt1Ty(context_), "thalweg.is_kept"), size};
        IRBuilder<> builder(&one);
        builder.CreateMemCpy(kept.bytes, MaybeAlign(1), address, MaybeAlign(1), size);
        builder.CreateStore(address, kept.address);
        builder.CreateStore(builder.getTrue(), kept.is_kept);
        kept_.push_back(kept);
    }

    // Whether the part can be gathered: `before` is the one in front of it.
    Value *fits(IRBuilder<> &builder, const Write &write, const Write *before) {
        Value *is_part = builder.CreateICmpULT(builder.CreateSub(write.size, builder.getInt64(1)),
                                               builder.getInt64(most_bytes_of_a_part));
        is_part = builder.CreateAnd(is_part, builder.CreateIsNotNull(write.buffer));
        if (!before) {
            Value *is_place =
                write.offset ? builder.CreateICmpSGE(write.offset, builder.getInt64(0)) : builder.getTrue();
            return builder.CreateAnd(is_part, is_place);
        }
        is_part = builder.CreateAnd(is_part, builder.CreateICmpEQ(write.descriptor, before->descriptor));
        if (!write.offset)
            return is_part;
        return builder.CreateAnd(is_part,
                                 builder.CreateICmpEQ(write.offset, builder.CreateAdd(before->offset, before->size)));
    }

    void take_part(unsigned number) {
        auto *call = cast<CallInst>(copies_[chain_.calls[number]]);
        const Write write(*call);
        IRBuilder<> builder(call);
        Value *place = builder.CreateConstInBoundsGEP2_32(parts_->getAllocatedType(), parts_, 0, number);
        Value *buffer = write.buffer;
        if (const uint64_t size = write.copied(); size > 0) {
            buffer = local(ArrayType::get(builder.getInt8Ty(), size), "thalweg.part");
            builder.CreateMemCpy(buffer, MaybeAlign(1), write.buffer, MaybeAlign(1), size);
        }
        static_assert(offsetof(iovec, iov_base) == 0);
        builder.CreateStore(buffer, place);
        builder.CreateStore(write.size,
                            builder.CreateConstInBoundsGEP1_32(builder.getInt8Ty(), place, offsetof(iovec, iov_len)));
        if (number > 0) {
            const Write before(*cast<CallInst>(copies_[chain_.calls[number - 1]]));
            Value *fit = fits(builder, write, &before);
            BasicBlock *here = call->getParent();
            BasicBlock *rest = SplitBlock(here, call);
            BranchInst *branch = BranchInst::Create(rest, leave_, fit);
            likely(*branch);
            ReplaceInstWithInst(here->getTerminator(), branch);
        }
    }

    void likely(Instruction &branch) const {
        branch.setMetadata(LLVMContext::MD_prof, MDBuilder(context_).createBranchWeights(weight_of_likely, 1));
    }

    // At the place of the last call's copy: one call for all.
    void write_all() {
        auto *last = cast<CallInst>(copies_[chain_.calls.back()]);
        const Write first(*cast<CallInst>(copies_[chain_.calls.front()]));
        IRBuilder<> builder(last);
        const FunctionCallee gather = declare(module_, ABI_SYMBOL(thalweg_crossing_gather));
        Value *offset = first.offset ? first.offset : builder.getInt64(-1);
        Value *all = builder.CreateCall(
            gather,
            {first.descriptor, parts_, builder.getInt32(static_cast<uint32_t>(chain_.calls.size())), offset, written_},
            "thalweg.all");
        gathered_ = last->getParent();
        BasicBlock *behind = chain_.calls.back()->getParent()->getSingleSuccessor();
        BranchInst *branch = BranchInst::Create(behind, leave_, all);
        likely(*branch);
        ReplaceInstWithInst(gathered_->getTerminator(), branch);
        for (CallInst *call : chain_.calls) {
            auto *copy = cast<CallInst>(copies_[call]);
            results_[call] = {copy->getParent(), Write(*copy).size};
        }
        for (CallInst *call : chain_.calls) {
            auto *copy = cast<CallInst>(copies_[call]);
            copy->replaceAllUsesWith(results_[call].second);
            copy->eraseFromParent();
        }
    }

    // Behind the last call there are two ways to come from, and a loop may lead from there back between the calls.
    void use_copies_results() {
        for (BasicBlock *block : chain_.blocks)
            for (Instruction &one : *block)
                use_copys_result(one, *block);
    }

    // A copied block is several where something is tested in it.
    BasicBlock *end_of_copy(BasicBlock &block) {
        auto *copy = cast<BasicBlock>(copies_[&block]);
        const auto end = ends_.find(copy);
        return end == ends_.end() ? copy : end->second;
    }

    void use_copys_result(Instruction &one, BasicBlock &block) {
        SmallVector<Use *> elsewhere;
        for (Use &use : one.uses()) {
            const auto *user = cast<Instruction>(use.getUser());
            const auto *phi = dyn_cast<PHINode>(user);
            if ((phi ? phi->getIncomingBlock(use) : user->getParent()) != &block)
                elsewhere.push_back(&use);
        }
        if (elsewhere.empty())
            return;
        SSAUpdater updater;
        updater.Initialize(one.getType(), one.getName());
        updater.AddAvailableValue(&block, &one);
        const auto result = results_.find(&one);
        if (result != results_.end())
            updater.AddAvailableValue(result->second.first, result->second.second);
        else
            updater.AddAvailableValue(end_of_copy(block), copies_[&one]);
        for (Use *use : elsewhere)
            updater.RewriteUse(*use);
    }

    GlobalVariable *file() const { return state_.file; }
    Value *left_alone(IRBuilder<> &builder) {
        return builder.CreateConstInBoundsGEP1_32(builder.getInt8Ty(), file(),
                                                  offsetof(thalweg_crossing_file, left_alone));
    }

    // Each write of the copy undone, the last first; then to the first of the original calls.
    void put_back() {
        IRBuilder<> builder(leave_);
        builder.CreateStore(builder.getInt32(thalweg_crossing_groups_left_alone), left_alone(builder))
            ->setAtomic(AtomicOrdering::Monotonic);
        for (const Kept &kept : reverse(kept_)) {
            BasicBlock *back = BasicBlock::Create(context_, "thalweg.put_back", &function_);
            BasicBlock *next = BasicBlock::Create(context_, "thalweg.leave", &function_);
            builder.CreateCondBr(builder.CreateLoad(builder.getInt1Ty(), kept.is_kept), back, next);
            builder.SetInsertPoint(back);
            builder.CreateMemCpy(builder.CreateLoad(builder.getPtrTy(), kept.address), MaybeAlign(1), kept.bytes,
                                 MaybeAlign(1), kept.size);
            builder.CreateBr(next);
            builder.SetInsertPoint(next);
        }
        builder.CreateBr(original_);
    }

    // In front of the first call: whether the copy may be tried.
    void decide() {
        IRBuilder<> entry(&*function_.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
        entry.CreateStore(entry.getInt64(0), written_);
        BasicBlock *ask = BasicBlock::Create(context_, "thalweg.ask", &function_, original_);
        BasicBlock *rest = BasicBlock::Create(context_, "thalweg.left_alone", &function_, original_);
        const CallInst &first = *chain_.calls.front();
        IRBuilder<> builder(before_->getTerminator());
        builder.SetCurrentDebugLocation(first.getDebugLoc());
        builder.CreateStore(builder.getInt64(0), written_);
        LoadInst *alone = builder.CreateLoad(builder.getInt32Ty(), left_alone(builder));
        alone->setAtomic(AtomicOrdering::Monotonic);
        Value *is_left_alone = builder.CreateIsNotNull(alone);
        Value *may = builder.CreateAnd(builder.CreateNot(is_left_alone), fits(builder, Write(first), nullptr));
        if (chain_.unmapping_since)
            may = builder.CreateAnd(may, builder.CreateNot(is_unmapped(builder)));
        if (state_.mapped_file)
            may = builder.CreateAnd(may, builder.CreateIsNull(mapped_file(builder)));
        BranchInst *branch = BranchInst::Create(ask, rest, may);
        ReplaceInstWithInst(before_->getTerminator(), branch);
        builder.SetInsertPoint(rest);
        builder
            .CreateStore(builder.CreateSub(alone, builder.CreateZExt(is_left_alone, builder.getInt32Ty())),
                         left_alone(builder))
            ->setAtomic(AtomicOrdering::Monotonic);
        builder.CreateBr(original_);
        builder.SetInsertPoint(ask);
        for (const Kept &kept : kept_)
            builder.CreateStore(builder.getFalse(), kept.is_kept);
        const FunctionCallee may_gather = declare(module_, ABI_SYMBOL(thalweg_crossing_may_gather));
        Value *known = state_.descriptors ? static_cast<Value *>(state_.descriptors)
                                          : ConstantPointerNull::get(builder.getPtrTy());
        Value *is_plain =
            builder.CreateCall(may_gather, {file(), Write(first).descriptor, known}, "thalweg.may_gather");
        builder.CreateCondBr(is_plain, cast<BasicBlock>(copies_[original_]), original_);
    }

    // Whether memory that a proof is about may have been taken back on the path that was taken.
    Value *is_unmapped(IRBuilder<> &builder) {
        AllocaInst *unmapped = local(builder.getInt1Ty(), "thalweg.unmapped");
        new StoreInst(builder.getTrue(), unmapped, unmapped->getNextNode()->getIterator());
        new StoreInst(builder.getFalse(), unmapped, chain_.unmapping_since->getTerminator()->getIterator());
        for (Instruction *one : chain_.unmapping)
            new StoreInst(builder.getTrue(), unmapped, one->getIterator());
        return builder.CreateLoad(builder.getInt1Ty(), unmapped);
    }

    Value *mapped_file(IRBuilder<> &builder) {
        LoadInst *load = builder.CreateLoad(builder.getInt8Ty(), state_.mapped_file);
        load->setAtomic(AtomicOrdering::Monotonic);
        return load;
    }

    // One of the original calls.
    void make_unless_written(CallInst &call) {
        IRBuilder<> builder(&call);
        Value *is_written =
            builder.CreateIsNotNull(builder.CreateLoad(builder.getInt64Ty(), written_), "thalweg.is_written");
        Instruction *known = nullptr;
        Instruction *made = nullptr;
        SplitBlockAndInsertIfThenElse(is_written, &call, &known, &made,
                                      MDBuilder(context_).createBranchWeights(1, weight_of_likely));
        BasicBlock *after = call.getParent();
        call.moveBefore(made);
        builder.SetInsertPoint(known);
        const FunctionCallee written_of = declare(module_, ABI_SYMBOL(thalweg_crossing_written_of));
        Value *result = builder.CreateCall(written_of, {written_, Write(call).size});
        PHINode *joined = PHINode::Create(call.getType(), 2, "", after->begin());
        call.replaceAllUsesWith(joined);
        joined->addIncoming(result, known->getParent());
        joined->addIncoming(&call, made->getParent());
    }

    Function &function_;
    Module &module_;
    LLVMContext &context_;
    const WriteChain &chain_;
    const GatherState &state_;
    BasicBlock *original_;  // of the first call
    BasicBlock *before_;
    BasicBlock *leave_ = nullptr;
    BasicBlock *gathered_ = nullptr;
    AllocaInst *parts_ = nullptr;
    AllocaInst *written_ = nullptr;
    ValueToValueMapTy copies_;
    DenseMap<const BasicBlock *, BasicBlock *> ends_;  // of copies in which something is tested: the last part
    DenseMap<const BasicBlock *, size_t> order_;
    DenseMap<const BasicBlock *, size_t> calls_until_;  // of the chain, the block's own counted
    DenseMap<const Instruction *, std::pair<BasicBlock *, WeakTrackingVH>>
        results_;  // of the calls' copies, and where they are known
    SmallVector<WeakTrackingVH> writing_;
    SmallVector<Kept> kept_;
};

}  // namespace

std::string changes_buffer(const WriteChain &chain, AAResults &aliases, DominatorTree &dominators) {
    EarliestEscapeInfo escapes(dominators);
    BatchAAResults batch(aliases, &escapes);
    SmallVector<MemoryLocation> buffers;
    size_t next = 0;
    for (BasicBlock *block : chain.blocks) {
        if (next < chain.calls.size() && block == chain.calls[next]->getParent())
            if (const Write write(*chain.calls[next++]); write.copied() == 0) {
                const auto *size = dyn_cast<ConstantInt>(write.size);
                buffers.emplace_back(write.buffer,
                                     size ? LocationSize::precise(size->getZExtValue()) : LocationSize::afterPointer());
            }
        for (Instruction &one : *block)
            if (written_local(one) && any_of(buffers, [&](const MemoryLocation &buffer) {
                    return isModSet(batch.getModRefInfo(&one, buffer));
                }))
                return "between the calls, what is to be written may be changed";
    }
    return {};
}

void gather_writes(Function &function, const WriteChain &chain, const GatherState &state) {
    Gatherer(function, chain, state).run();
}

}  // namespace thalweg::transform
