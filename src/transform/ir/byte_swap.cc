// transform: byte swaps of vectors in functions for processors without a byte shuffle.
#include "transform/ir/byte_swap.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/TargetParser/Triple.h"

namespace thalweg::transform {

using namespace llvm;

namespace {

bool has_byte_shuffle(const Function &function) {
    return function.getFnAttribute("target-features").getValueAsString().contains("+ssse3");
}

// Four 32-bit numbers in an SSE register: other shapes are not vectorised for SSE2, or are split into these.
bool is_lowered(const IntrinsicInst &call) {
    const auto *vector = dyn_cast<FixedVectorType>(call.getType());
    return call.getIntrinsicID() == Intrinsic::bswap && vector && vector->getNumElements() == 4 &&
           vector->getElementType()->isIntegerTy(32);
}

void lower(IntrinsicInst &call) {
    IRBuilder<> builder(&call);
    auto *halves_type = FixedVectorType::get(builder.getInt16Ty(), 8);
    Value *halves = builder.CreateBitCast(call.getArgOperand(0), halves_type);
    Value *swapped = builder.CreateOr(builder.CreateShl(halves, 8), builder.CreateLShr(halves, 8));
    Value *result = builder.CreateShuffleVector(swapped, ArrayRef<int>{1, 0, 3, 2, 5, 4, 7, 6});
    call.replaceAllUsesWith(builder.CreateBitCast(result, call.getType()));
    call.eraseFromParent();
}

}  // namespace

void lower_byte_swaps(Module &module) {
    if (!Triple(module.getTargetTriple()).isX86())
        return;
    for (Function &function : module) {
        if (function.isDeclaration() || has_byte_shuffle(function))
            continue;
        std::vector<IntrinsicInst *> calls;
        for (BasicBlock &block : function)
            for (Instruction &instruction : block)
                if (auto *call = dyn_cast<IntrinsicInst>(&instruction); call && is_lowered(*call))
                    calls.push_back(call);
        for (IntrinsicInst *call : calls)
            lower(*call);
    }
}

}  // namespace thalweg::transform
