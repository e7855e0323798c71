// transform: numbering, liveness and obstacles of a function that is to be unfolded.
#include "transform/specializer/frame.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

#include "transform/ir/rounding.h"
#include "transform/specializer/out_of_line.h"

namespace thalweg::transform::specializer {

using namespace llvm;

namespace {

// What has no meaning in another function's body, or is about the body as such.
std::string obstacle_of(const Instruction &instruction) {
    if (isa<IndirectBrInst, CallBrInst>(instruction))
        return "it jumps to computed labels";
    if (isa<CatchSwitchInst, FuncletPadInst>(instruction))
        return "it has funclets";
    const auto *call = dyn_cast<CallBase>(&instruction);
    if (!call)
        return {};
    if (call->hasFnAttr(Attribute::ReturnsTwice))
        return "it calls setjmp or another function that returns twice";
    if (call->isMustTailCall() && !call->getType()->isVoidTy())
        return "it has a call that must be a tail call and gives something back";
    if (call->hasOperandBundles() && call->getIntrinsicID() != Intrinsic::assume)  // which is left out
        return "it has calls with operand bundles";
    return {};
}

std::string unfold_obstacle_of(const Instruction &instruction) {
    if (const auto *alloca = dyn_cast<AllocaInst>(&instruction); alloca && !alloca->isStaticAlloca())
        return "it takes stack space of a size known at run time only";
    if (const auto *intrinsic = dyn_cast<IntrinsicInst>(&instruction))
        switch (intrinsic->getIntrinsicID()) {
        case Intrinsic::vastart:
        case Intrinsic::stacksave:
        case Intrinsic::stackrestore:
        case Intrinsic::localescape:
        case Intrinsic::frameaddress:
        case Intrinsic::returnaddress:
        case Intrinsic::addressofreturnaddress:
            return "it looks at its own stack frame";
        default:
            break;
        }
    return {};
}

std::string first_obstacle(const Function &function, std::string (*obstacle)(const Instruction &)) {
    for (const Instruction &instruction : instructions(function))
        if (std::string found = obstacle(instruction); !found.empty())
            return found;
    return {};
}

std::string unfold_obstacle_of(const Function &function) {
    if (function.isVarArg())
        return "it takes a variable number of arguments";
    for (const Argument &argument : function.args())
        if (argument.hasInAllocaAttr() || argument.hasPreallocatedAttr() || argument.hasSwiftErrorAttr() ||
            argument.hasSwiftSelfAttr())
            return "it takes an argument in a place that only a call has";
    return first_obstacle(function, unfold_obstacle_of);
}

std::string obstacle_of(const Function &function) {
    if (function.hasFnAttribute(Attribute::Naked) || function.hasFnAttribute(Attribute::PresplitCoroutine))
        return "it has no ordinary body";
    if (std::string why = why_rounding_stays(function); !why.empty())
        return why;
    if (any_of(function, [](const BasicBlock &block) { return block.hasAddressTaken(); }))
        return "it takes addresses of labels";
    return first_obstacle(function, obstacle_of);
}

}  // namespace

std::string why_not_unfolded(const Function &function) {
    if (std::string obstacle = obstacle_of(function); !obstacle.empty())
        return obstacle;
    if (is_kept_out_of_line(function))
        if (std::string obstacle = why_it_stays_out_of_line(function); !obstacle.empty())
            return obstacle;
    return unfold_obstacle_of(function);
}

FunctionInfo::FunctionInfo(Function &function) : function_(function) {
    number_values();
    obstacle_ = obstacle_of(function);
    unfold_obstacle_ = unfold_obstacle_of(function);
    out_of_line_obstacle_ = why_it_stays_out_of_line(function);
    find_live_ins();
}

// Blocks so that what comes before comes first, and a loop is complete before what comes after it: in reverse post-order, with
// each loop's blocks together in the place of its header.
std::vector<const BasicBlock *> FunctionInfo::blocks_in_order() {
    DenseMap<const BasicBlock *, unsigned> rank;
    for (const BasicBlock *block : ReversePostOrderTraversal<const Function *>(&function_))
        rank.try_emplace(block, static_cast<unsigned>(rank.size()));
    std::vector<std::pair<std::vector<unsigned>, const BasicBlock *>> keyed;
    for (const BasicBlock &block : function_) {
        std::vector<unsigned> key{rank.try_emplace(&block, static_cast<unsigned>(rank.size())).first->second};
        for (const Loop *loop = loops().getLoopFor(&block); loop; loop = loop->getParentLoop())
            key.push_back(rank.lookup(loop->getHeader()));
        std::reverse(key.begin(), key.end());
        keyed.emplace_back(std::move(key), &block);
    }
    llvm::sort(keyed, [](const auto &one, const auto &other) { return one.first < other.first; });  // ranks differ
    std::vector<const BasicBlock *> order;
    for (const auto &[key, block] : keyed)
        order.push_back(block);
    return order;
}

void FunctionInfo::number_values() {
    auto add = [this](const Value &value) {
        numbers_[&value] = static_cast<unsigned>(values_.size());
        values_.push_back(&value);
    };
    for (const Argument &argument : function_.args())
        add(argument);
    for (const BasicBlock *block : blocks_in_order())
        for (const Instruction &instruction : *block)
            add(instruction);
}

void FunctionInfo::step_back(const Instruction &instruction, BitVector &live) const {
    live.reset(number_of(&instruction));
    for (const Value *operand : instruction.operands())
        if (isa<Instruction, Argument>(operand))
            live.set(number_of(operand));
}

BitVector FunctionInfo::live_out_of(const BasicBlock *block) const {
    BitVector live(values_.size());
    for (const BasicBlock *successor : successors(block)) {
        BitVector needed(values_.size());
        if (const auto known = live_in_.find(successor); known != live_in_.end())
            needed = known->second;
        for (const PHINode &phi : successor->phis())
            needed.reset(number_of(&phi));
        for (const PHINode &phi : successor->phis()) {
            const Value *incoming = phi.getIncomingValueForBlock(block);
            if (isa<Instruction, Argument>(incoming))
                needed.set(number_of(incoming));
        }
        live |= needed;
    }
    return live;
}

// The usual backward data-flow iteration; post-order makes it end after few rounds.
void FunctionInfo::find_live_ins() {
    const SmallVector<const BasicBlock *> order(post_order(const_cast<const Function *>(&function_)));
    for (bool changed = true; changed;) {
        changed = false;
        for (const BasicBlock *block : order) {
            BitVector live = live_out_of(block);
            for (const Instruction &instruction : llvm::reverse(*block)) {
                if (isa<PHINode>(instruction))
                    break;
                step_back(instruction, live);
            }
            BitVector &known = live_in_[block];
            if (known != live) {
                known = std::move(live);
                changed = true;
            }
        }
    }
}

const BitVector &FunctionInfo::live_at(const Instruction *start) {
    const auto [place, is_new] = live_at_.try_emplace(start);
    if (!is_new)
        return place->second;
    const BasicBlock *block = start->getParent();
    BitVector live = live_out_of(block);
    for (const Instruction &instruction : llvm::reverse(*block)) {
        step_back(instruction, live);
        if (&instruction == start)
            break;
    }
    return place->second = std::move(live);
}

const LoopInfo &FunctionInfo::loops() {
    if (!loops_)
        loops_ = std::make_unique<LoopInfo>(DominatorTree(function_));
    return *loops_;
}

FunctionInfo &Contexts::info(Function &function) {
    std::unique_ptr<FunctionInfo> &info = infos_[&function];
    if (!info)
        info = std::make_unique<FunctionInfo>(function);
    return *info;
}

const Context *Contexts::root(Function &function) { return callee(nullptr, nullptr, function); }

const Context *Contexts::callee(const Context *caller, CallBase *call, Function &function) {
    std::unique_ptr<Context> &context = contexts_[{caller, call, &function}];
    if (!context) {
        const auto id = static_cast<unsigned>(in_order_.size());
        context =
            std::make_unique<Context>(Context{id, caller, call, &info(function), caller ? caller->depth + 1 : 0, {}});
        if (caller) {
            context->position = caller->position;
            context->position.push_back(caller->info->number_of(call));
        }
        in_order_.push_back(context.get());
    }
    return context.get();
}

unsigned Contexts::recursion(const Context *context, const Function &function) {
    unsigned times = 0;
    for (; context; context = context->caller)
        times += &context->info->function() == &function;
    return times;
}

}  // namespace thalweg::transform::specializer
