// transform: cuts a line out for the specialiser, and puts what is left of it in its place.
#include "transform/event/handler_merge.h"

#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

namespace thalweg::transform {

using namespace llvm;

namespace {

using specializer::Contexts;
using specializer::Engine;
using specializer::Environment;
using specializer::Facts;
using specializer::Part;

// Versions of one place in a line. Handlers are not interpreters; a table of operations that one walks is this long.
constexpr size_t max_versions = 16;

// A block of its own on the way on: what an invoke gives back is there only after it.
void put_behind_invoke(BasicBlock *from) {
    auto *invoke = cast<InvokeInst>(from->getTerminator());
    BasicBlock *to = invoke->getNormalDest();
    BasicBlock *between = BasicBlock::Create(from->getContext(), from->getName() + ".normal", from->getParent(), to);
    BranchInst::Create(to, between)->setDebugLoc(invoke->getDebugLoc());
    invoke->setNormalDest(between);
    to->replacePhiUsesWith(from, between);
}

// The line's blocks while they are cut out: what leaves them goes through variables.
class Cut {
  public:
    explicit Cut(FrontedLine &line) : line_(line), function_(*line.entry->getParent()) {}

    // Why it can't be done; empty: it can.
    std::string prepare() {
        find_blocks();
        for (BasicBlock *block : blocks_)
            if (isa<InvokeInst>(block->getTerminator()))
                put_behind_invoke(block);
        keep_landing_pads();
        find_blocks();
        for (BasicBlock *end : SmallVector<BasicBlock *, 8>(ends_.begin(), ends_.end()))
            separate_end(end);
        find_blocks();
        store_values_used_outside();
        for (BasicBlock *block : blocks_)
            for (BasicBlock *before : predecessors(block))
                if (block != line_.entry && !blocks_.contains(before))
                    return "its blocks are entered from elsewhere";
        return {};
    }

    Part part() const {
        Part part;
        part.entry = line_.entry;
        part.ends.insert(ends_.begin(), ends_.end());
        SmallSetVector<Instruction *, 16> inputs;
        for (BasicBlock *block : blocks_)
            for (Instruction &one : *block)
                for (Value *operand : one.operands())
                    if (auto *input = dyn_cast<Instruction>(operand); input && !blocks_.contains(input->getParent()))
                        inputs.insert(input);
        part.inputs.assign(inputs.begin(), inputs.end());
        return part;
    }

    void replace(Engine &engine) {
        Function &residual = engine.residual().function();
        for (Argument &argument : residual.args())
            argument.replaceAllUsesWith(function_.getArg(argument.getArgNo()));
        AttributeFuncs::mergeAttributesForInlining(function_, residual);
        if (residual.hasPersonalityFn() && !function_.hasPersonalityFn())
            function_.setPersonalityFn(residual.getPersonalityFn());
        for (const auto &[terminator, block] : engine.residual().ends())
            ReplaceInstWithInst(terminator, BranchInst::Create(block));
        BasicBlock *entry = &residual.getEntryBlock();
        Instruction *first = &*function_.getEntryBlock().getFirstInsertionPt();
        for (Instruction &one : make_early_inc_range(*entry))
            if (auto *alloca = dyn_cast<AllocaInst>(&one))
                alloca->moveBefore(first);
        function_.splice(line_.entry->getIterator(), &residual);
        residual.eraseFromParent();
        for (BasicBlock *before : SmallVector<BasicBlock *, 4>(predecessors(line_.entry)))
            if (!blocks_.contains(before))
                before->getTerminator()->replaceSuccessorWith(line_.entry, entry);
        DeleteDeadBlocks(blocks_.getArrayRef());
        line_.entry = entry;
    }

    // To be called in the end, whether the line was replaced or not.
    void promote() {
        DominatorTree dominators(function_);
        std::vector<AllocaInst *> promotable;
        for (AllocaInst *variable : variables_)
            if (isAllocaPromotable(variable))
                promotable.push_back(variable);
        PromoteMemToReg(promotable, dominators);
        for (BasicBlock *end : ends_)
            TryToSimplifyUncondBranchFromEmptyBlock(end);
    }

  private:
    void find_blocks() {
        Stops stops = line_.stops;
        stops.insert(ends_.begin(), ends_.end());
        blocks_ = reachable({line_.entry}, stops, false);
        for (BasicBlock *block : blocks_)
            for (BasicBlock *next : successors(block))
                if (!blocks_.contains(next))
                    ends_.insert(next);
    }

    // A landing pad that the line shares with others becomes its own, which goes on to the shared rest. One that an iteration itself catches by is the
    // line's already.
    void keep_landing_pads() {
        SmallSetVector<BasicBlock *, 4> pads;
        for (BasicBlock *block : blocks_)
            if (auto *invoke = dyn_cast<InvokeInst>(block->getTerminator()))
                pads.insert(invoke->getUnwindDest());
        for (BasicBlock *pad : pads) {
            if (blocks_.contains(pad) &&
                all_of(predecessors(pad), [&](BasicBlock *one) { return blocks_.contains(one); }))
                continue;
            SmallVector<BasicBlock *, 8> own;
            for (BasicBlock *before : predecessors(pad))
                if (blocks_.contains(before))
                    own.push_back(before);
            SmallVector<BasicBlock *, 2> made;
            SplitLandingPadPredecessors(pad, own, ".line", ".others", made);
            ends_.remove(pad);
            ends_.insert(pad);
        }
    }

    // In front of an end, a block that the line alone comes to: it reads from variables what the end's phis take.
    void separate_end(BasicBlock *end) {
        SmallSetVector<BasicBlock *, 8> own;
        for (BasicBlock *before : predecessors(end))
            if (blocks_.contains(before))
                own.insert(before);
        ends_.remove(end);
        if (own.empty())
            return;
        BasicBlock *join = BasicBlock::Create(end->getContext(), end->getName() + ".end", &function_, end);
        IRBuilder<> builder(join);
        for (PHINode &phi : end->phis()) {
            AllocaInst *variable = new_variable(phi.getType());
            for (BasicBlock *before : own) {
                store(phi.getIncomingValueForBlock(before), variable, before);
                while (phi.getBasicBlockIndex(before) >= 0)
                    phi.removeIncomingValue(before, false);
            }
            phi.addIncoming(builder.CreateLoad(phi.getType(), variable), join);
        }
        builder.CreateBr(end)->setDebugLoc(own.front()->getTerminator()->getDebugLoc());
        for (BasicBlock *before : own)
            before->getTerminator()->replaceSuccessorWith(end, join);
        ends_.insert(join);
    }

    AllocaInst *new_variable(Type *type) {
        variables_.push_back(new AllocaInst(type, function_.getDataLayout().getAllocaAddrSpace(), "out",
                                            function_.getEntryBlock().getFirstInsertionPt()));
        return variables_.back();
    }

    // On the way from `block`: what an invoke gives back is there only after it.
    static void store(Value *value, AllocaInst *variable, BasicBlock *block) {
        new StoreInst(value, variable, block->getTerminator()->getIterator());
    }

    void store_values_used_outside() {
        for (BasicBlock *block : blocks_)
            for (Instruction &value : make_early_inc_range(*block))
                store_for_uses_outside(value);
    }

    void store_for_uses_outside(Instruction &value) {
        SmallVector<Use *, 4> outside;
        for (Use &use : value.uses()) {
            auto *user = cast<Instruction>(use.getUser());
            auto *phi = dyn_cast<PHINode>(user);
            if (!blocks_.contains(phi ? phi->getIncomingBlock(use) : user->getParent()))
                outside.push_back(&use);
        }
        if (outside.empty())
            return;
        AllocaInst *variable = new_variable(value.getType());
        const auto after = value.getInsertionPointAfterDef();
        new StoreInst(&value, variable, *after);
        for (Use *use : outside) {
            auto *user = cast<Instruction>(use->getUser());
            auto *phi = dyn_cast<PHINode>(user);
            Instruction *at = phi ? phi->getIncomingBlock(*use)->getTerminator() : user;
            use->set(new LoadInst(value.getType(), variable, "", at->getIterator()));
        }
    }

    FrontedLine &line_;
    Function &function_;
    BlockSet blocks_;
    SmallSetVector<BasicBlock *, 8> ends_;
    std::vector<AllocaInst *> variables_;
};

}  // namespace

Merged merge_handlers(FrontedLine &line, FunctionAnalysisManager &analyses, BodyOfCall body) {
    Function &function = *line.entry->getParent();
    Cut cut(line);
    Merged merged;
    merged.why_not = cut.prepare();
    if (merged.why_not.empty()) {
        const Part part = cut.part();
        const auto compatible = [&](const Function &caller, const Function &callee) {
            return analyses.getResult<TargetIRAnalysis>(const_cast<Function &>(callee))
                .areInlineCompatible(&caller, &callee);
        };
        const model::Decision none;
        const RecordedBodies bodies({}, *function.getParent());
        const Facts facts(none, function, {.most_values = 0}, bodies);
        Contexts contexts;
        Environment environment{contexts, &analyses.getResult<TargetLibraryAnalysis>(function), compatible};
        environment.body = body;
        environment.max_versions = max_versions;
        environment.unrolls = false;  // LLVM does it, where it knows that it gains
        environment.part = &part;
        Engine engine(function, facts, environment);
        if (engine.run()) {
            merged.left = engine.counts().left;
            cut.replace(engine);
        } else {
            merged.why_not = engine.gave_up();
        }
    }
    cut.promote();
    return merged;
}

}  // namespace thalweg::transform
