// transform: puts a call of the crossing room in front of copying loops, where the kernel copies whole blocks.
#include "transform/system_call/fuse.h"

#include <array>
#include <optional>

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

#include "abi/crossing.h"
#include "transform/ir/abi.h"
#include "transform/ir/function_effects.h"
#include "transform/system_call/copying_round.h"
#include "transform/system_call/own_descriptor.h"
#include "transform/system_call/site.h"
#include "transform/system_call/trial.h"
#include "transform/system_call/unfold.h"

namespace thalweg::transform {

using namespace llvm;

namespace {

constexpr const char *apart = "read and write stand in different functions";

// As unistd.h declares read and write.
bool has_known_types(const CallBase &call) {
    return isa<CallInst>(call) && call.arg_size() == 3 && call.getType()->isIntegerTy(64) &&
           call.getArgOperand(0)->getType()->isIntegerTy(32) && call.getArgOperand(1)->getType()->isPointerTy() &&
           call.getArgOperand(2)->getType()->isIntegerTy(64);
}

// The loop's memory: nobody but read and write uses it, so that nobody misses what was never read into it.
class Buffer {
  public:
    // `kept`: a copy of the function, which is never called; null: there is none.
    Buffer(const CallBase &read, const CallBase &write, const DominatorTree &trees, const Function *kept)
        : read_(read), write_(write), trees_(trees), kept_(kept) {}

    std::string why_not() {
        const Value *object = getUnderlyingObject(read_.getArgOperand(1), 0);
        const auto *global = dyn_cast<GlobalVariable>(object);
        if (!isa<AllocaInst>(object) && !isNoAliasCall(object) && !(global && global->hasLocalLinkage()))
            return "what else is done with its buffer isn't seen";
        if (!only_ours(*object))
            return "its buffer is used by others, who would find in it what was not read";
        if (!ends_with_what_was_read(write_.getArgOperand(1), write_.getArgOperand(2)))
            return "it may write more than it has read";
        return {};
    }

  private:
    bool only_ours(const Value &pointer) {
        if (!seen_.insert(&pointer).second)
            return true;
        return all_of(pointer.uses(), [&](const Use &use) { return is_ours(use); });
    }

    bool is_ours(const Use &use) {
        const User *user = use.getUser();
        if (const auto *one = dyn_cast<Instruction>(user); one && one->getFunction() == kept_)
            return true;
        if (isa<GEPOperator>(user) || isa<PHINode>(user) || isa<SelectInst>(user) || isa<FreezeInst>(user))
            return only_ours(*user);
        if (const auto *compare = dyn_cast<ICmpInst>(user))
            return isa<ConstantPointerNull>(compare->getOperand(1));
        const auto *call = dyn_cast<CallBase>(user);
        if (!call)
            return false;
        const bool is_memory = call->isLifetimeStartOrEnd() || act_of(*call) == knowledge::Act::takes_block_back;
        return is_memory ||
               ((call == &read_ || call == &write_) && call->isArgOperand(&use) && call->getArgOperandNo(&use) == 1);
    }

    static const Value *plain(const Value *size) {
        const Value *inner = nullptr;
        const APInt *mask = nullptr;
        for (;;) {
            if (isa<TruncInst>(size) || isa<SExtInst>(size) || isa<ZExtInst>(size))
                size = cast<Instruction>(size)->getOperand(0);
            else if (PatternMatch::match(
                         size, PatternMatch::m_And(PatternMatch::m_Value(inner), PatternMatch::m_APInt(mask))) &&
                     mask->isMask())
                size = inner;
            else
                return size;
        }
    }

    // Whether `size` bytes from `from` on end where the bytes end that read gave: what a loop of short writes takes off from the one it adds
    // to the other.
    bool ends_with_what_was_read(const Value *from, const Value *size) {
        size = plain(size);
        if (from == read_.getArgOperand(1) && size == &read_)
            return true;
        if (!ends_.insert({from, size}).second)
            return true;
        const auto *less = dyn_cast<BinaryOperator>(size);
        const auto *more = dyn_cast<GetElementPtrInst>(from);
        if (less && more && less->getOpcode() == Instruction::Sub && more->getNumIndices() == 1 &&
            more->getSourceElementType()->isIntegerTy(8) && plain(more->getOperand(1)) == plain(less->getOperand(1)))
            return ends_with_what_was_read(more->getPointerOperand(), less->getOperand(0));
        const auto *left = dyn_cast<PHINode>(size);
        if (!left)
            return false;
        const auto *at = dyn_cast<PHINode>(from);
        const bool is_carried = at && at->getParent() == left->getParent();
        const auto *made = dyn_cast<Instruction>(from);
        if (!is_carried && made && !trees_.dominates(made->getParent(), left->getParent()))
            return false;
        return all_of(left->blocks(), [&](const BasicBlock *block) {
            const Value *bytes = left->getIncomingValueForBlock(block);
            return is_carried ? ends_with_what_was_read(at->getIncomingValueForBlock(block), bytes)
                              : is_less(*bytes, *left, *block) || ends_with_what_was_read(from, bytes);
        });
    }

    // Whether a number that the size becomes behind a block is less than what it is there.
    static bool is_less(const Value &bytes, const PHINode &size, const BasicBlock &block) {
        const auto *branch = dyn_cast<BranchInst>(block.getTerminator());
        if (!branch || branch->isUnconditional() || branch->getSuccessor(0) == branch->getSuccessor(1))
            return false;
        return isImpliedCondition(branch->getCondition(), ICmpInst::ICMP_UGE, &size, &bytes, block.getDataLayout(),
                                  branch->getSuccessor(0) == size.getParent())
            .value_or(false);
    }

    const CallBase &read_;
    const CallBase &write_;
    const DominatorTree &trees_;
    const Function *kept_;
    SmallPtrSet<const Value *, 16> seen_;
    SmallSet<std::pair<const Value *, const Value *>, 8> ends_;
};

struct CopyingLoop {
    CallBase *read = nullptr;
    CallBase *write = nullptr;
    Loop *loop = nullptr;
    CopyingRound round;
};

// The smallest loop around both.
Loop *loop_around(const LoopInfo &loops, const CallBase &read, const CallBase &write) {
    Loop *loop = loops.getLoopFor(read.getParent());
    while (loop && !loop->contains(&write))
        loop = loop->getParentLoop();
    return loop;
}

std::string why_not(CopyingLoop &copy, FunctionAnalysisManager &analyses, const Function *kept) {
    if (act_of(*copy.read) != knowledge::Act::reads || act_of(*copy.write) != knowledge::Act::writes ||
        !has_known_types(*copy.read) || !has_known_types(*copy.write))
        return called_name(*copy.read).str() + " and " + called_name(*copy.write).str() +
               " are no pair of which one call can be made";
    copy.loop = loop_around(analyses.getResult<LoopAnalysis>(*copy.read->getFunction()), *copy.read, *copy.write);
    if (!copy.loop)
        return "there is no loop around both";
    copy.round = follow_round(*copy.loop, *copy.read, *copy.write);
    if (!copy.round.why_not.empty())
        return "the loop can't be one call: " + copy.round.why_not;
    const auto &trees = analyses.getResult<DominatorTreeAnalysis>(*copy.read->getFunction());
    if (std::string used = Buffer(*copy.read, *copy.write, trees, kept).why_not(); !used.empty())
        return "the loop can't be one call: " + used;
    for (const CallBase *call : {copy.read, copy.write})
        if (!is_own_descriptor(*call->getArgOperand(0)))
            return "another process may share the offset at which " + called_name(*call).str() +
                   " goes on: where the descriptor was opened isn't seen";
    return {};
}

// 0 where there was no memory for the buffer: the first read fails then (EFAULT).
Value *block_to_copy(const CopyingLoop &copy, IRBuilder<> &builder) {
    Value *block = builder.getInt64(copy.round.block);
    Value *buffer = getUnderlyingObject(copy.read->getArgOperand(1), 0);
    if (!isNoAliasCall(buffer))
        return block;
    Value *is_none = builder.CreateICmpEQ(buffer, Constant::getNullValue(buffer->getType()), "thalweg.no_buffer");
    return builder.CreateSelect(is_none, builder.getInt64(0), block);
}

// What is carried from round to round stands at the header as if the rounds had been made.
void put_in_front(const CopyingLoop &copy, FunctionAnalysisManager &analyses) {
    Function &function = *copy.read->getFunction();
    auto &trees = analyses.getResult<DominatorTreeAnalysis>(function);
    auto &loops = analyses.getResult<LoopAnalysis>(function);
    BasicBlock *front = copy.loop->getLoopPreheader();
    if (!front)
        front = InsertPreheaderForLoop(copy.loop, &trees, &loops, nullptr, false);
    IRBuilder<> builder(front->getTerminator());
    builder.SetCurrentDebugLocation(copy.read->getDebugLoc());
    const FunctionCallee call = declare(*function.getParent(), ABI_SYMBOL(thalweg_crossing_copy));
    Value *copied = builder.CreateCall(
        call, {copy.read->getArgOperand(0), copy.write->getArgOperand(0), block_to_copy(copy, builder)},
        "thalweg.copied");
    for (PHINode *sum : copy.round.sums) {
        Value *before = sum->getIncomingValueForBlock(front);
        Value *after = builder.CreateAdd(before, builder.CreateZExtOrTrunc(copied, sum->getType()));
        sum->setIncomingValueForBlock(front, after);
    }
    forget_effects_of_callers(function);
    analyses.invalidate(function, PreservedAnalyses::none());
}

// Each copy of the function has both calls.
std::string pair_up(const SystemCallGroup &group, Module &module, std::vector<CopyingLoop> &copies) {
    if (group.others.size() != 1)
        return "a copy is one read and one write, not " + std::to_string(1 + group.others.size()) + " calls";
    const std::vector<CallBase *> writes = calls_at(module, group.others.front());
    for (CallBase *read : calls_at(module, group.first)) {
        CopyingLoop copy{read, nullptr, nullptr, {}};
        for (CallBase *write : writes)
            if (write->getFunction() == read->getFunction()) {
                if (copy.write)
                    return "its write stands more than once in " + read->getFunction()->getName().str();
                copy.write = write;
            }
        if (!copy.write)
            return apart;
        if (!copies.empty() && copies.back().read->getFunction() == read->getFunction())
            return "its read stands more than once in " + read->getFunction()->getName().str();
        copies.push_back(copy);
    }
    return copies.empty() ? "nothing is left of the calls: another decision took their place" : "";
}

// Read and write in functions of their own: brought together in those that call them.
class Bringing {
  public:
    Bringing(const SystemCallGroup &group, Module &module, FunctionAnalysisManager &analyses)
        : group_(group), module_(module), analyses_(analyses) {}

    // Empty: in one function at least the loop was found, and all that has to hold of it.
    std::string run(std::vector<CopyingLoop> &copies) {
        SmallSetVector<Function *, 8> holders;
        for (const uint32_t number : {group_.first, group_.others.front()})
            for (const CallBase *call : calls_at(module_, number))
                holders.insert(const_cast<Function *>(call->getFunction()));
        const Unfolder unfolder(module_, holders.getArrayRef());
        SmallSetVector<Function *, 8> candidates = holders;
        for (Function *root : unfolder.roots())
            candidates.insert(root);
        for (Function *function : candidates)
            if (obstacle_to_change(*function).empty())
                try_in(*function, unfolder, copies);
        return copies.empty() ? (why_not_.empty() ? apart : why_not_) : "";
    }

  private:
    void try_in(Function &function, const Unfolder &unfolder, std::vector<CopyingLoop> &copies) {
        ValueToValueMapTy map;
        Function *kept = CloneFunction(&function, map);
        unfolder.unfold(function);
        analyses_.invalidate(function, PreservedAnalyses::none());
        std::optional<CopyingLoop> copy = find_in(function, *kept);
        if (copy)
            copies.push_back(*copy);
        else
            take_body(function, *kept, analyses_);
        kept->eraseFromParent();
    }

    std::optional<CopyingLoop> find_in(Function &function, const Function &kept) {
        SmallVector<CallBase *> reads;
        SmallVector<CallBase *> writes;
        for (Instruction &one : instructions(function)) {
            if (auto *call = dyn_cast<CallBase>(&one); call && system_call_of(one) == group_.first)
                reads.push_back(call);
            else if (call && system_call_of(one) == group_.others.front())
                writes.push_back(call);
        }
        for (CallBase *read : reads)
            for (CallBase *write : writes) {
                CopyingLoop copy{read, write, nullptr, {}};
                std::string problem = why_not(copy, analyses_, &kept);
                if (problem.empty())
                    return copy;
                if (why_not_.empty())
                    why_not_ = std::move(problem);
            }
        return std::nullopt;
    }

    const SystemCallGroup &group_;
    Module &module_;
    FunctionAnalysisManager &analyses_;
    std::string why_not_;
};

}  // namespace

SystemCallResult fuse_copy(const SystemCallGroup &group, Module &module, FunctionAnalysisManager &analyses) {
    if (const std::string sharer = sharer_in(module); !sharer.empty())
        return {"the program uses " + sharer + ": others may share its descriptors, or see its calls", {}, 0};
    if (std::string obstacle = obstacle_to_other_calls(module); !obstacle.empty())
        return {std::move(obstacle), {}, 0};
    std::vector<CopyingLoop> copies;
    const uint64_t before = module.getInstructionCount();
    std::string problem = pair_up(group, module, copies);
    if (problem == apart) {
        copies.clear();
        problem = Bringing(group, module, analyses).run(copies);
    } else {
        for (size_t i = 0; i < copies.size() && problem.empty(); ++i)
            problem = why_not(copies[i], analyses, nullptr);
    }
    if (!problem.empty())
        return {std::move(problem), {}, 0};
    for (const CopyingLoop &copy : copies)
        put_in_front(copy, analyses);
    return {{},
            "whole blocks of " + std::to_string(copies.front().round.block) +
                " bytes are copied by the kernel before the loop does the rest",
            static_cast<int64_t>(module.getInstructionCount() - before)};
}

}  // namespace thalweg::transform
