// transform: LLVM's analyses for passes on one function, outside of the pipeline.
#pragma once

#include "llvm/Passes/PassBuilder.h"

namespace thalweg::transform {

struct Analyses {
    Analyses() {
        builder.registerModuleAnalyses(modules);
        builder.registerCGSCCAnalyses(components);
        builder.registerFunctionAnalyses(functions);
        builder.registerLoopAnalyses(loops);
        builder.crossRegisterProxies(loops, functions, components, modules);
    }

    llvm::LoopAnalysisManager loops;
    llvm::FunctionAnalysisManager functions;
    llvm::CGSCCAnalysisManager components;
    llvm::ModuleAnalysisManager modules;
    llvm::PassBuilder builder;
};

}  // namespace thalweg::transform
