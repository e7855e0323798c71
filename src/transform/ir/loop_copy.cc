// transform: copies of a loop's blocks.
#include "transform/ir/loop_copy.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/Cloning.h"

namespace thalweg::transform {

using namespace llvm;

namespace {

Value *mapped(const ValueToValueMapTy &map, Value *value) {
    const auto found = map.find(value);
    return found == map.end() ? value : static_cast<Value *>(found->second);
}

// The blocks' clones, not yet remapped.
Iteration clone_blocks(Loop &loop, ValueToValueMapTy &map) {
    Iteration copy;
    Function *function = loop.getHeader()->getParent();
    for (BasicBlock *block : loop.getBlocks()) {
        BasicBlock *clone = CloneBasicBlock(block, map, ".thalweg", function);
        map[block] = clone;
        copy.blocks.push_back(clone);
    }
    copy.header = cast<BasicBlock>(map[loop.getHeader()]);
    copy.latch = cast<BasicBlock>(map[loop.getLoopLatch()]);
    return copy;
}

// A scope declaration stands for one run of its block: each copy needs its own.
void adapt_noalias_scopes(Loop &loop, const Iteration &copy) {
    SmallVector<MDNode *, 4> scopes;
    identifyNoAliasScopesToClone(loop.getBlocks(), scopes);
    if (!scopes.empty())
        cloneAndAdaptNoAliasScopes(scopes, copy.blocks, loop.getHeader()->getContext(), "thalweg");
}

// Every edge that leaves the loop leaves the copy as well.
void extend_exit_phis(Loop &loop, const ValueToValueMapTy &map) {
    SmallVector<BasicBlock *, 4> exits;
    loop.getUniqueExitBlocks(exits);
    for (BasicBlock *exit : exits)
        for (PHINode &phi : exit->phis()) {
            const unsigned incoming = phi.getNumIncomingValues();
            for (unsigned i = 0; i < incoming; ++i) {
                BasicBlock *from = phi.getIncomingBlock(i);
                if (loop.contains(from))
                    phi.addIncoming(mapped(map, phi.getIncomingValue(i)), cast<BasicBlock>(mapped(map, from)));
            }
        }
}

void collect_calls(Iteration &copy, ArrayRef<CallBase *> calls, const ValueToValueMapTy &map) {
    for (CallBase *call : calls)
        copy.calls.push_back(cast<CallBase>(mapped(map, call)));
}

void collect_values(Loop &loop, Iteration &copy, const ValueToValueMapTy &map) {
    for (BasicBlock *block : loop.getBlocks())
        for (Instruction &one : *block)
            copy.values[&one] = mapped(map, &one);
}

// In a straight line the header is entered once: its phis are just the values of that entry.
void replace_header_phis(Loop &loop, const Iteration &copy, ValueToValueMapTy &map) {
    unsigned i = 0;
    for (PHINode &phi : loop.getHeader()->phis()) {
        auto *clone = cast<PHINode>(map[&phi]);
        map[&phi] = copy.state[i++];
        clone->eraseFromParent();
    }
}

std::vector<Value *> state_after(Loop &loop, const ValueToValueMapTy &map) {
    std::vector<Value *> state;
    for (PHINode &phi : loop.getHeader()->phis())
        state.push_back(mapped(map, phi.getIncomingValueForBlock(loop.getLoopLatch())));
    return state;
}

}  // namespace

BasicBlock *block_in(const Iteration &copy, const Loop &loop, const BasicBlock *block) {
    return copy.blocks[static_cast<size_t>(llvm::find(loop.getBlocks(), block) - loop.getBlocks().begin())];
}

std::vector<Value *> entry_state(const Loop &loop) {
    std::vector<Value *> state;
    for (PHINode &phi : loop.getHeader()->phis())
        state.push_back(phi.getIncomingValueForBlock(loop.getLoopPreheader()));
    return state;
}

void enter_loop(BasicBlock *header, BasicBlock *from, ArrayRef<Value *> state) {
    unsigned i = 0;
    for (PHINode &phi : header->phis())
        phi.addIncoming(state[i++], from);
}

StraightLine copy_iterations(Loop &loop, ArrayRef<CallBase *> calls, unsigned count,
                             const std::vector<Value *> &entry_state) {
    StraightLine line;
    line.end_state = entry_state;
    for (unsigned k = 0; k < count; ++k) {
        ValueToValueMapTy map;
        Iteration copy = clone_blocks(loop, map);
        copy.state = line.end_state;
        replace_header_phis(loop, copy, map);
        remapInstructionsInBlocks(copy.blocks, map);
        copy.latch->getTerminator()->setMetadata(LLVMContext::MD_loop, nullptr);
        adapt_noalias_scopes(loop, copy);
        extend_exit_phis(loop, map);
        collect_calls(copy, calls, map);
        collect_values(loop, copy, map);
        line.end_state = state_after(loop, map);
        if (k > 0)
            line.iterations.back().latch->getTerminator()->replaceSuccessorWith(line.iterations.back().header,
                                                                                copy.header);
        line.iterations.push_back(std::move(copy));
    }
    const Iteration &last = line.iterations.back();
    last.latch->getTerminator()->replaceSuccessorWith(last.header, loop.getHeader());
    enter_loop(loop.getHeader(), last.latch, line.end_state);
    return line;
}

Iteration copy_loop(Loop &loop, ArrayRef<CallBase *> calls, BasicBlock *preheader) {
    ValueToValueMapTy map;
    // While clones still lead to the original header, the loop has no preheader to speak of.
    map[loop.getLoopPreheader()] = preheader;
    std::vector<Value *> state = entry_state(loop);
    Iteration copy = clone_blocks(loop, map);
    copy.state = std::move(state);
    remapInstructionsInBlocks(copy.blocks, map);
    adapt_noalias_scopes(loop, copy);
    extend_exit_phis(loop, map);
    collect_calls(copy, calls, map);
    return copy;
}

}  // namespace thalweg::transform
