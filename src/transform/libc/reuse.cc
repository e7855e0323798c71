// transform: which functions of the C library have their small blocks kept by the program's threads (decision `reuse`).
#include "transform/libc/reuse.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Metadata.h"

#include "transform/ir/use.h"
#include "transform/libc/block_function.h"

namespace thalweg::transform {

using namespace llvm;

namespace {

// The functions that are carried out, each as a node of its function and its use.
constexpr StringLiteral reuse_metadata = "thalweg.reuse";

bool has_sanitizer(const Function &function) {
    return function.hasFnAttribute(Attribute::SanitizeAddress) ||
           function.hasFnAttribute(Attribute::SanitizeHWAddress) ||
           function.hasFnAttribute(Attribute::SanitizeMemory) || function.hasFnAttribute(Attribute::SanitizeThread);
}

// Why no blocks of this program may be kept; empty: they may.
std::string obstacle_in(const Module &module) {
    const Function *main = module.getFunction("main");
    if (!main || main->isDeclaration() || is_library(module))
        return "it is no program: a library may be unloaded, and what it keeps would be lost";
    using knowledge::Allocation;
    for (const StringRef name : names_that([](auto &one) { return one.allocation == Allocation::allocates; }))
        if (const Function *function = module.getFunction(name); function && !function->isDeclaration())
            return "the program has a " + name.str() + " of its own";
    const auto watches = [](const knowledge::Function &one) { return one.allocation == Allocation::watches; };
    if (const std::string used = used_that(module, watches); !used.empty())
        return "the program uses " + used + ", which would show or change what is kept";
    if (any_of(module, has_sanitizer))
        return "a sanitizer watches the program's memory";
    return {};
}

// Of a program without functions there is none.
const TargetLibraryInfo *library_of(Module &module, FunctionAnalysisManager &analyses) {
    for (Function &function : module)
        if (!function.isDeclaration())
            return &analyses.getResult<TargetLibraryAnalysis>(function);
    return nullptr;
}

model::DecisionOutcome outcome_of(const model::Decision &decision, Module &module, const TargetLibraryInfo *library,
                                  const std::string &obstacle) {
    if (!obstacle.empty())
        return {decision.id, false, obstacle, 0};
    Function *callee = module.getFunction(decision.site.function);
    if (!callee || callee->use_empty())
        return {decision.id, false, "the program calls no " + decision.site.function, 0};
    const auto use = library ? block_use(*callee, *library) : std::nullopt;
    if (!use)
        return {decision.id, false,
                decision.site.function + " is not declared as the function of the C library that gives or takes blocks",
                0};
    NamedMDNode &asked = *module.getOrInsertNamedMetadata(reuse_metadata);
    const auto is_of_callee = [&](const MDNode *one) {
        return mdconst::dyn_extract_or_null<Function>(one->getOperand(0)) == callee;
    };
    if (any_of(asked.operands(), is_of_callee))
        return {decision.id, false, "another decision is about " + decision.site.function + " already", 0};
    LLVMContext &context = module.getContext();
    asked.addOperand(MDNode::get(
        context, {ConstantAsMetadata::get(callee),
                  ConstantAsMetadata::get(ConstantInt::get(Type::getInt32Ty(context), static_cast<uint32_t>(*use)))}));
    return {decision.id, true, "its calls go by lists of the thread's own", 0};
}

}  // namespace

std::vector<model::DecisionOutcome> reuse_small_blocks(const model::Plan &plan, Module &module,
                                                       FunctionAnalysisManager &analyses) {
    std::vector<model::DecisionOutcome> outcomes;
    std::optional<std::string> obstacle;
    for (const model::Decision &decision : plan.decisions) {
        if (decision.kind() != model::DecisionKind::reuse)
            continue;
        if (!obstacle)
            obstacle = obstacle_in(module);
        outcomes.push_back(outcome_of(decision, module, library_of(module, analyses), *obstacle));
    }
    return outcomes;
}

void put_reuse(Module &module) {
    NamedMDNode *asked = module.getNamedMetadata(reuse_metadata);
    if (!asked)
        return;
    for (const MDNode *one : asked->operands())
        // LLVM's passes may have left no call of it.
        if (auto *callee = mdconst::dyn_extract_or_null<Function>(one->getOperand(0)))
            reuse_blocks(*callee, static_cast<knowledge::BlockUse>(
                                      mdconst::extract<ConstantInt>(one->getOperand(1))->getZExtValue()));
    asked->eraseFromParent();
}

std::vector<model::CountedFunction> count_reuse(Module &module, FunctionAnalysisManager &analyses) {
    const TargetLibraryInfo *library = library_of(module, analyses);
    if (!library || !obstacle_in(module).empty())
        return {};
    std::vector<std::pair<Function *, knowledge::BlockUse>> found;
    for (Function &function : module)
        if (const auto use = block_use(function, *library); use && !function.use_empty())
            found.emplace_back(&function, *use);
    std::vector<model::CountedFunction> counted;
    for (const auto &[callee, use] : found)
        counted.push_back(reuse_blocks_counted(*callee, use));
    return counted;
}

}  // namespace thalweg::transform
