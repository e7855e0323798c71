// transform: LLVM's inliner from callees to callers, and its simplification of the functions that it changed.
#include "transform/program/small_functions.h"

#include <memory>

#include "llvm/Analysis/CGSCCPassManager.h"
#include "llvm/Analysis/InlineAdvisor.h"
#include "llvm/Analysis/InlineCost.h"
#include "llvm/Analysis/ReplayInlineAdvisor.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/IPO/Inliner.h"
#include "llvm/Transforms/Instrumentation/PGOInstrumentation.h"

namespace thalweg::transform {

using namespace llvm;

namespace {

// LLVM's bounds of what it inlines in front of its counters, whatever executes (PassBuilderPipelines.cpp, addPreInlinerPasses).
constexpr int small = 75;
constexpr int small_by_hint = 325;

// Of calls that the counted run made: the others would take registers from them (an order book executes 4 % more, lua 2 % with 13 % more code). What is hot
// and larger is for link-time optimisation.
InlineParams of_small_functions() {
    InlineParams params = getInlineParams();
    params.DefaultThreshold = small;
    params.HintThreshold = small_by_hint;
    params.HotCallSiteThreshold.reset();
    params.LocallyHotCallSiteThreshold.reset();
    params.ColdCallSiteThreshold = 0;
    return params;
}

class Inline : public PassInfoMixin<Inline> {
  public:
    explicit Inline(std::shared_ptr<bool> changed) : changed_(std::move(changed)) {}

    PreservedAnalyses run(LazyCallGraph::SCC &functions, CGSCCAnalysisManager &analyses, LazyCallGraph &graph,
                          CGSCCUpdateResult &update) {
        PreservedAnalyses preserved = inliner_.run(functions, analyses, graph, update);
        *changed_ = !preserved.areAllPreserved();
        return preserved;
    }

  private:
    InlinerPass inliner_;
    std::shared_ptr<bool> changed_;
};

// Only where something was inlined: once more over a function that has been simplified already, LLVM's passes make loops of it that are as often slower
// as faster (brotli 1.5 % more instructions, sqlite3 2 % less).
class SimplifyWhatChanged : public PassInfoMixin<SimplifyWhatChanged> {
  public:
    SimplifyWhatChanged(FunctionPassManager passes, std::shared_ptr<bool> changed)
        : passes_(createCGSCCToFunctionPassAdaptor(std::move(passes))), changed_(std::move(changed)) {}

    PreservedAnalyses run(LazyCallGraph::SCC &functions, CGSCCAnalysisManager &analyses, LazyCallGraph &graph,
                          CGSCCUpdateResult &update) {
        return *changed_ ? passes_.run(functions, analyses, graph, update) : PreservedAnalyses::all();
    }

  private:
    CGSCCToFunctionPassAdaptor passes_;
    std::shared_ptr<bool> changed_;
};

// Loops are unrolled whole by link-time optimisation, behind all inlining: mpg123 executes 3 % more where they are unrolled here.
FunctionPassManager simplification(OptimizationLevel level) {
    PipelineTuningOptions tuning;
    tuning.LoopUnrolling = false;
    return PassBuilder(nullptr, tuning).buildFunctionSimplificationPipeline(level, ThinOrFullLTOPhase::FullLTOPreLink);
}

}  // namespace

void inline_small_functions(Module &module, ModuleAnalysisManager &manager, OptimizationLevel level) {
    // First, as clang has it: else what calls through a pointer is inlined, and that call copied, before it is direct (gawk executes 1.4 % more).
    PGOIndirectCallPromotion(/*IsInLTO=*/true).run(module, manager);
    manager.invalidate(module, PreservedAnalyses::none());
    const InlineContext context{ThinOrFullLTOPhase::FullLTOPostLink, InlinePass::EarlyInliner};
    if (!manager.getResult<InlineAdvisorAnalysis>(module).tryCreate(of_small_functions(), InliningAdvisorMode::Default,
                                                                    {}, context))
        return;
    const auto changed = std::make_shared<bool>(false);
    CGSCCPassManager passes;
    passes.addPass(Inline(changed));
    passes.addPass(SimplifyWhatChanged(simplification(level), changed));
    createModuleToPostOrderCGSCCPassAdaptor(std::move(passes)).run(module, manager);
    // The advisor as well: link-time optimisation's inliner has another.
    manager.invalidate(module, PreservedAnalyses::none());
}

}  // namespace thalweg::transform
