// transform: the cheapest of LLVM's passes, on one function.
#include "transform/specializer/tidy.h"

#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"

#include "transform/ir/analyses.h"

namespace thalweg::transform::specializer {

using namespace llvm;

void tidy(Function &function) {
    Analyses analyses;
    FunctionPassManager passes;
    passes.addPass(SimplifyCFGPass());
    passes.addPass(SROAPass(SROAOptions::PreserveCFG));
    passes.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
    passes.addPass(InstCombinePass());
    passes.addPass(SimplifyCFGPass());
    passes.run(function, analyses.functions);
}

}  // namespace thalweg::transform::specializer
