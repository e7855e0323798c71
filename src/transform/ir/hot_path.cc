// transform: which way a specialised region goes when its guards hold, and which edges leave it for good.
#include "transform/ir/hot_path.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Metadata.h"

namespace thalweg::transform {

using namespace llvm;

namespace {

constexpr StringLiteral leave_metadata = "thalweg.leave";
constexpr StringLiteral guard_metadata = "thalweg.guard";

// The most that LLVM's probabilities tell apart. With __builtin_expect's 2000 a loop with a guard in it would be taken for one of two thousand rounds,
// whatever its own counts say.
constexpr uint32_t likely_weight = INT32_MAX;

}  // namespace

MDNode *likely(LLVMContext &context) { return MDBuilder(context).createBranchWeights(likely_weight, 1); }

MDNode *one_of(size_t values, LLVMContext &context) {
    return values <= 1 ? likely(context) : MDBuilder(context).createBranchWeights(1, static_cast<uint32_t>(values - 1));
}

void mark_leave(Instruction &branch, unsigned successor) {
    LLVMContext &context = branch.getContext();
    auto *number = ConstantAsMetadata::get(ConstantInt::get(Type::getInt32Ty(context), successor));
    branch.setMetadata(leave_metadata, MDNode::get(context, {number}));
}

bool is_leave(const Instruction &branch, unsigned successor) {
    const MDNode *node = branch.getMetadata(leave_metadata);
    return node && mdconst::extract<ConstantInt>(node->getOperand(0))->getZExtValue() == successor;
}

void copy_marks(const Instruction &branch, Instruction &copy) {
    for (const StringLiteral kind : {leave_metadata, guard_metadata})
        copy.setMetadata(kind, branch.getMetadata(kind));
}

void mark_guard(Instruction &branch, MDNode *guard) { branch.setMetadata(guard_metadata, guard); }

MDNode *guard_mark(const Instruction &branch) { return branch.getMetadata(guard_metadata); }

void forget_leaves(Function &function) {
    for (BasicBlock &block : function)
        for (const StringLiteral kind : {leave_metadata, guard_metadata})
            block.getTerminator()->setMetadata(kind, nullptr);
}

BlockSet reachable(ArrayRef<BasicBlock *> from, const Stops &stops, bool hot_only) {
    BlockSet found;
    for (BasicBlock *block : from)
        if (!stops.contains(block))
            found.insert(block);
    for (size_t i = 0; i < found.size(); ++i) {
        Instruction *end = found[i]->getTerminator();
        for (unsigned s = 0; s < end->getNumSuccessors(); ++s)
            if (!stops.contains(end->getSuccessor(s)) && !(hot_only && is_leave(*end, s)))
                found.insert(end->getSuccessor(s));
    }
    return found;
}

}  // namespace thalweg::transform
