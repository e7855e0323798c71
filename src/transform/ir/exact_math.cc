// transform: floating point that the link must not compute, because what the program would have computed is another number.
#include "transform/ir/exact_math.h"

#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

namespace thalweg::transform {

using namespace llvm;

namespace {

// Their results are exact, or rounded once, as IEEE 754 has it.
constexpr LibFunc exact[] = {
    LibFunc_ceil,   LibFunc_copysign,   LibFunc_fabs,      LibFunc_floor,     LibFunc_fmax,       LibFunc_fmin,
    LibFunc_fmod,   LibFunc_ldexp,      LibFunc_nearbyint, LibFunc_rint,      LibFunc_round,      LibFunc_roundeven,
    LibFunc_sqrt,   LibFunc_trunc,      LibFunc_ceilf,     LibFunc_copysignf, LibFunc_fabsf,      LibFunc_floorf,
    LibFunc_fmaxf,  LibFunc_fminf,      LibFunc_fmodf,     LibFunc_ldexpf,    LibFunc_nearbyintf, LibFunc_rintf,
    LibFunc_roundf, LibFunc_roundevenf, LibFunc_sqrtf,     LibFunc_truncf};

bool is_inexact(const CallBase &call, const TargetLibraryInfo &library) {
    LibFunc function = NumLibFuncs;
    // Of 80-bit numbers LLVM computes no function that is not exact.
    const bool is_computed = call.getType()->isFloatTy() || call.getType()->isDoubleTy();
    return is_computed && library.getLibFunc(call, function) && !is_contained(exact, function);
}

bool has_fused(const Function &function) {
    return function.getFnAttribute("target-features").getValueAsString().contains("+fma");
}

void make_two_steps(IntrinsicInst &call) {
    IRBuilder<> builder(&call);
    builder.setFastMathFlags(call.getFastMathFlags());
    Value *product = builder.CreateFMul(call.getArgOperand(0), call.getArgOperand(1));
    Value *sum = builder.CreateFAdd(product, call.getArgOperand(2));
    call.replaceAllUsesWith(sum);
    call.eraseFromParent();
}

}  // namespace

void keep_inexact_math(Module &module, FunctionAnalysisManager &analyses) {
    for (Function &function : module) {
        if (function.isDeclaration())
            continue;
        const auto &library = analyses.getResult<TargetLibraryAnalysis>(function);
        for (Instruction &one : make_early_inc_range(instructions(function))) {
            auto *call = dyn_cast<CallBase>(&one);
            if (!call)
                continue;
            auto *intrinsic = dyn_cast<IntrinsicInst>(call);
            if (intrinsic && intrinsic->getIntrinsicID() == Intrinsic::fmuladd && !has_fused(function))
                make_two_steps(*intrinsic);
            else if (!intrinsic && is_inexact(*call, library))
                call->addFnAttr(Attribute::NoBuiltin);
        }
    }
}

}  // namespace thalweg::transform
