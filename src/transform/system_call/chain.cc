// transform: writes that follow each other with nothing between that others could see or that could learn of others.
#include "transform/system_call/chain.h"

#include <optional>

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

#include "transform/system_call/known_local.h"
#include "transform/system_call/site.h"

namespace thalweg::transform {

using namespace llvm;

namespace {

// A group of more gains little more: of 16 writes, 15 crossings are saved. IOV_MAX is 1024.
constexpr size_t longest_chain = 16;
// What is written between the calls is kept, to be put back where the calls are made one by one.
constexpr uint64_t most_bytes_kept_of_a_write = 256;

AllocaInst *local_at(const Value *address) {
    auto *local = dyn_cast<AllocaInst>(const_cast<Value *>(getUnderlyingObject(address)));
    return local && local->isStaticAlloca() ? local : nullptr;
}

bool is_mere_note(const CallInst &call) {
    return call.isLifetimeStartOrEnd() || call.isDebugOrPseudoInst() || isa<AssumeInst>(call) ||
           isa<NoAliasScopeDeclInst>(call);
}

// A handler that comes at the write finds what was stored before it, and knows no local variable but those that it was told of.
AllocaInst *own_local_at(const Value *address, const Instruction &store) {
    AllocaInst *local = local_at(address);
    return local && !may_be_known_to_others(*local, store) ? local : nullptr;
}

std::string call_is_loud(const CallInst &call) {
    if (is_mere_note(call))
        return {};
    if (const auto *filled = dyn_cast<MemIntrinsic>(&call)) {
        const auto *size = dyn_cast<ConstantInt>(filled->getLength());
        const bool is_kept = size && size->getValue().ule(most_bytes_kept_of_a_write);
        return !filled->isVolatile() && is_kept && own_local_at(filled->getDest(), call)
                   ? ""
                   : "memory is written that others may see, or much of it";
    }
    if (!call.isInlineAsm() && call.doesNotThrow() && call.hasFnAttr(Attribute::WillReturn) && call.onlyReadsMemory())
        return {};
    const Function *callee = call.getCalledFunction();
    if (call.isInlineAsm())
        return "there is assembler";
    return callee ? callee->getName().str() + " is called" : "a function is called through a pointer";
}

// Why others could see it, or it could learn of others; empty: it is quiet.
std::string is_loud(const Instruction &one) {
    if (const auto *load = dyn_cast<LoadInst>(&one))
        return load->isSimple() ? "" : "there is a volatile or atomic access";
    if (const auto *store = dyn_cast<StoreInst>(&one)) {
        if (!store->isSimple())
            return "there is a volatile or atomic access";
        return own_local_at(store->getPointerOperand(), *store) ? "" : "memory is written that others may see";
    }
    if (const auto *call = dyn_cast<CallInst>(&one))
        return call_is_loud(*call);
    if (isa<BranchInst, SwitchInst>(one))
        return {};
    if (one.isTerminator() || one.isEHPad() || isa<AllocaInst>(one) || one.mayReadOrWriteMemory())
        return std::string("there is ") + one.getOpcodeName();
    return {};
}

class ChainFinder {
  public:
    ChainFinder(Function &function, const std::vector<uint32_t> &numbers) : function_(function), numbers_(numbers) {}

    ChainSearch run() {
        set_calls_apart();
        proof_.emplace(function_);
        for (BasicBlock *block : ReversePostOrderTraversal<Function *>(&function_)) {
            order_[block] = order_.size();
            for (const Instruction &one : *block)
                if (is_wanted(one))
                    calls_.push_back(cast<CallInst>(const_cast<Instruction *>(&one)));
        }
        for (CallInst *first : calls_) {
            if (system_call_of(*first) != numbers_.front())
                continue;
            found_.chain = {};
            found_.chain.calls = {first};
            proof_->begin_at(*first);
            if (extend()) {
                found_.why_not.clear();
                note_tests();
                return std::move(found_);
            }
        }
        if (found_.why_not.empty())
            found_.why_not = "no way leads from the first call to the others";
        return std::move(found_);
    }

  private:
    bool is_wanted(const Instruction &one) const {
        const auto *call = dyn_cast<CallInst>(&one);
        return call && called_system_call(*call) && is_contained(numbers_, system_call_of(one));
    }

    void set_calls_apart() {
        SmallVector<Instruction *> wanted;
        for (Instruction &one : instructions(function_))
            if (is_wanted(one))
                wanted.push_back(&one);
        for (Instruction *call : wanted) {
            SplitBlock(call->getParent(), call);
            SplitBlock(call->getParent(), call->getNextNode());
        }
    }

    CallInst *call_in(BasicBlock *block) const {
        auto *call = dyn_cast<CallInst>(&block->front());
        return call && is_wanted(*call) ? call : nullptr;
    }

    bool is_quiet(BasicBlock *block) {
        if (succ_empty(block))
            return false;  // no way leads on from it
        SmallVector<FaultTest> tests;
        for (Instruction &one : *block) {
            std::string loud = is_loud(one);
            if (loud.empty())
                loud = proof_->why_it_may(one, tests);
            if (loud.empty())
                continue;
            if (isa<CallBase>(one) || found_.why_not.empty())
                found_.why_not = "between the calls, " + loud;
            auto *call = dyn_cast<CallBase>(&one);
            if (call && call->getCalledFunction() && !call->getCalledFunction()->isDeclaration())
                found_.obstacle = call;
            return false;
        }
        return true;
    }

    void note_tests() {
        for (BasicBlock *block : found_.chain.blocks)
            if (!call_in(block))
                for (Instruction &one : *block)
                    proof_->why_it_may(one, found_.chain.tests);
        found_.chain.unmapping_since = proof_->unmapping_since();
        append_range(found_.chain.unmapping, proof_->unmapping());
    }

    // A way that goes on from the last call of the chain, as far as it is quiet; never back.
    SmallSetVector<BasicBlock *, 32> quiet_after(BasicBlock *from, SmallVectorImpl<CallInst *> &next) {
        SmallSetVector<BasicBlock *, 32> reached;
        SmallVector<BasicBlock *> open = {from};
        while (!open.empty()) {
            BasicBlock *block = open.pop_back_val();
            for (BasicBlock *to : successors(block)) {
                if (order_.lookup(to) <= order_.lookup(block) || reached.contains(to))
                    continue;
                if (CallInst *call = call_in(to)) {
                    if (!is_contained(next, call))
                        next.push_back(call);
                } else if (is_quiet(to)) {
                    reached.insert(to);
                    open.push_back(to);
                }
            }
        }
        return reached;
    }

    // Of these, what leads to the call.
    SmallVector<BasicBlock *, 32> ways_to(CallInst &call, const SmallSetVector<BasicBlock *, 32> &reached) const {
        SmallSetVector<BasicBlock *, 32> leading;
        SmallVector<BasicBlock *> open = {call.getParent()};
        while (!open.empty())
            for (BasicBlock *block = open.pop_back_val(); BasicBlock * from : predecessors(block))
                if (reached.contains(from) && order_.lookup(from) < order_.lookup(block) && leading.insert(from))
                    open.push_back(from);
        SmallVector<BasicBlock *, 32> ways(leading.begin(), leading.end());
        sort(ways, [&](BasicBlock *a, BasicBlock *b) { return order_.lookup(a) < order_.lookup(b); });
        return ways;
    }

    // Whether it is the last call's result that decides: by itself, or by the way that was taken since.
    bool is_decided_by_call(const Instruction &branch) const {
        SmallSetVector<const Instruction *, 16> reached;
        reached.insert(&branch);
        for (size_t i = 0; i < reached.size(); ++i) {
            const size_t place = order_.lookup(reached[i]->getParent());
            if (place < order_.lookup(found_.chain.calls.back()->getParent()))
                continue;
            if (isa<PHINode>(reached[i]) || reached[i] == found_.chain.calls.back() || is_place_of_errno(*reached[i]))
                return true;
            for (const Value *operand : reached[i]->operands())
                if (const auto *of = dyn_cast<Instruction>(operand))
                    reached.insert(of);
        }
        return false;
    }

    // Whether it tests which function a pointer leads to, as unfolding does.
    static bool is_of_target(const Instruction &branch) {
        const auto *test = dyn_cast<ICmpInst>(branch.getOperand(0));
        return test && any_of(test->operands(), [](const Value *one) { return isa<Function>(one); });
    }

    // Whether it is made whenever the last one was made in full: one that the plan doesn't name must not be waited for in vain.
    bool always_follows(const SmallVectorImpl<BasicBlock *> &ways) const {
        return all_of(ways, [&](const BasicBlock *block) {
            return succ_size(block) < 2 || is_of_target(*block->getTerminator()) ||
                   is_decided_by_call(*block->getTerminator());
        });
    }

    bool is_complete() const { return found_.chain.calls.size() >= numbers_.size(); }

    // Whether the chain is complete in the end, with as many more calls as follow.
    bool extend() {
        WriteChain &chain = found_.chain;
        BasicBlock *last = chain.calls.back()->getParent();
        chain.blocks.push_back(last);
        if (chain.calls.size() == longest_chain)
            return true;
        SmallVector<CallInst *> next;
        const SmallSetVector<BasicBlock *, 32> reached = quiet_after(last, next);
        sort(next,
             [&](CallInst *a, CallInst *b) { return order_.lookup(a->getParent()) < order_.lookup(b->getParent()); });
        for (CallInst *call : next) {
            if (!is_complete() && system_call_of(*call) != numbers_[chain.calls.size()])
                continue;
            if (call->getCalledFunction() != chain.calls.front()->getCalledFunction())
                continue;
            const SmallVector<BasicBlock *, 32> ways = ways_to(*call, reached);
            if (is_complete() && !always_follows(ways))
                continue;
            const WriteChain before = chain;
            chain.blocks.append(ways);
            chain.calls.push_back(call);
            if (extend())
                return true;
            chain = before;
        }
        return is_complete();
    }

    Function &function_;
    const std::vector<uint32_t> &numbers_;
    DenseMap<const BasicBlock *, size_t> order_;  // reverse post-order
    SmallVector<CallInst *> calls_;
    std::optional<FaultProof> proof_;
    ChainSearch found_;
};

}  // namespace

ChainSearch find_chain(Function &function, const std::vector<uint32_t> &numbers) {
    return ChainFinder(function, numbers).run();
}

AllocaInst *written_local(const Instruction &one) {
    if (const auto *store = dyn_cast<StoreInst>(&one))
        return local_at(store->getPointerOperand());
    if (const auto *filled = dyn_cast<MemIntrinsic>(&one))
        return local_at(filled->getDest());
    return nullptr;
}

}  // namespace thalweg::transform
