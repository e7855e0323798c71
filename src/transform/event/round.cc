// transform: which of a loop's calls through pointers one iteration makes.
#include "transform/event/round.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"

namespace thalweg::transform {

using namespace llvm;

namespace {

// Blocks that `from` leads to in the same iteration.
BlockSet behind(const Loop &loop, BasicBlock *from) {
    BlockSet found;
    SmallVector<BasicBlock *, 8> work{from};
    while (!work.empty())
        for (BasicBlock *next : successors(work.pop_back_val()))
            if (next != loop.getHeader() && loop.contains(next) && found.insert(next))
                work.push_back(next);
    return found;
}

// Blocks that an iteration comes through on its way from `from` to `to`, both among them; empty: there is no way but through `avoided`.
BlockSet ways_between(const Loop &loop, BasicBlock *from, BasicBlock *to, const BlockSet &avoided) {
    const BlockSet reached = behind(loop, from);
    BlockSet found;
    found.insert(to);
    for (size_t i = 0; i < found.size(); ++i) {
        if (found[i] == from || found[i] == loop.getHeader())
            continue;
        for (BasicBlock *before : predecessors(found[i]))
            if (before == from || (reached.contains(before) && !avoided.contains(before)))
                found.insert(before);
    }
    return found.contains(from) ? found : BlockSet();
}

bool comes_behind(const Loop &loop, const CallBase &first, CallBase &second) {
    if (first.getParent() == second.getParent())
        return first.comesBefore(&second);
    return behind(loop, const_cast<BasicBlock *>(first.getParent())).contains(second.getParent());
}

void add_turnings(const Loop &loop, const BlockSet &ways, const BasicBlock *to, std::vector<Turning> &turnings) {
    for (BasicBlock *block : ways) {
        const auto *branch = dyn_cast<BranchInst>(block->getTerminator());
        if (!branch || !branch->isConditional() || block == to)
            continue;
        for (unsigned s = 0; s < branch->getNumSuccessors(); ++s)
            if (loop.contains(branch->getSuccessor(s)) && !ways.contains(branch->getSuccessor(s)))
                turnings.push_back({block, s});
    }
}

}  // namespace

std::vector<Round> rounds_of(const Loop &loop, ArrayRef<CallBase *> calls, ArrayRef<unsigned> numbers) {
    std::vector<Round> rounds;
    for (const unsigned number : numbers) {
        if (rounds.empty() || !comes_behind(loop, *calls[rounds.back().back()], *calls[number]))
            rounds.emplace_back();
        rounds.back().push_back(number);
    }
    return rounds;
}

// The calls that are not made are gone round; where that can't be, they stay on the way.
std::vector<Turning> turnings(const Loop &loop, ArrayRef<CallBase *> calls, const Round &round) {
    BlockSet made;
    for (const unsigned number : round)
        made.insert(calls[number]->getParent());
    BlockSet avoided;
    for (CallBase *call : calls)
        if (!made.contains(call->getParent()))
            avoided.insert(call->getParent());
    std::vector<Turning> found;
    BasicBlock *from = loop.getHeader();
    SmallVector<BasicBlock *, 8> stations(made.begin(), made.end());
    stations.push_back(loop.getLoopLatch());
    for (BasicBlock *to : stations) {
        BlockSet ways = ways_between(loop, from, to, avoided);
        if (ways.empty())
            ways = ways_between(loop, from, to, {});
        if (from != to)
            add_turnings(loop, ways, to, found);
        from = to;
    }
    return found;
}

std::optional<EndTest> end_test(const Loop &loop, ArrayRef<CallBase *> calls) {
    const auto is_test = [&](const BasicBlock *block) {
        const auto *branch = dyn_cast<BranchInst>(block->getTerminator());
        return loop.isLoopExiting(block) && branch && branch->isConditional();
    };
    BasicBlock *latch = loop.getLoopLatch();
    if (is_test(latch))
        return EndTest{latch, false};
    const DominatorTree dominators(*latch->getParent());
    // From the bottom up, blocks that each iteration comes through.
    std::optional<EndTest> found;
    for (const DomTreeNode *node = dominators.getNode(latch); node && loop.contains(node->getBlock());
         node = node->getIDom())
        if (BasicBlock *block = node->getBlock(); is_test(block))
            found = EndTest{block, llvm::none_of(calls, [&](const CallBase *call) {
                                return call->getParent() == block ||
                                       behind(loop, const_cast<BasicBlock *>(call->getParent())).contains(block);
                            })};
    return found;
}

BlockSet ways_to(const Loop &loop, const CallBase &call) {
    return ways_between(loop, loop.getHeader(), const_cast<BasicBlock *>(call.getParent()), {});
}

}  // namespace thalweg::transform
