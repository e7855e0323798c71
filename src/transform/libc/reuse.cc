// transform: which functions of the C library have their small blocks kept by the program's threads (decision `reuse`).
#include "transform/libc/reuse.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Metadata.h"

#include "transform/libc/block_function.h"
#include "transform/libc/block_pointer.h"
#include "transform/libc/heap.h"

namespace thalweg::transform {

using namespace llvm;

namespace {

// The functions that are carried out, each as a node of its function and its use.
constexpr StringLiteral reuse_metadata = "thalweg.reuse";

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

knowledge::BlockUse use_in(const MDNode &asked) {
    return static_cast<knowledge::BlockUse>(mdconst::extract<ConstantInt>(asked.getOperand(1))->getZExtValue());
}

Function *giver_of_zeros(Module &module) {
    const auto gives = [](const Function &function) {
        return function.isDeclaration() &&
               knowledge::block_use(std::string_view(function.getName())) == knowledge::BlockUse::given_as_zeros;
    };
    const auto found = find_if(module, gives);
    return found == module.end() ? nullptr : &*found;
}

// Of malloc and what clears its block LLVM makes one call of calloc. It went to the library, where no call was recorded that a decision could be about,
// and free took blocks into lists that nobody empties (libyaml, whose own wrapper of malloc clears them, executed 2 % more for it).
void ask_what_llvm_makes(Module &module) {
    NamedMDNode *asked = module.getNamedMetadata(reuse_metadata);
    const Function *known = giver_of_zeros(module);
    const auto is_given = [](const MDNode *one) { return use_in(*one) == knowledge::BlockUse::given; };
    if (!asked || (known && !known->use_empty()) || none_of(asked->operands(), is_given))
        return;
    Type *number = Type::getInt32Ty(module.getContext());
    constexpr auto use = static_cast<uint32_t>(knowledge::BlockUse::given_as_zeros);
    asked->addOperand(
        MDNode::get(module.getContext(), {nullptr, ConstantAsMetadata::get(ConstantInt::get(number, use))}));
}

// LLVM's passes may have left no call of it, and made one of what was none.
Function *callee_in(const MDNode &asked, Module &module) {
    auto *callee = mdconst::dyn_extract_or_null<Function>(asked.getOperand(0));
    return callee || use_in(asked) != knowledge::BlockUse::given_as_zeros ? callee : giver_of_zeros(module);
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
            obstacle = obstacle_to_kept_blocks(module);
        outcomes.push_back(outcome_of(decision, module, library_of(module, analyses), *obstacle));
    }
    ask_what_llvm_makes(module);
    return outcomes;
}

void put_reuse(Module &module) {
    NamedMDNode *asked = module.getNamedMetadata(reuse_metadata);
    if (!asked)
        return;
    std::vector<std::pair<Function *, knowledge::BlockUse>> found;
    for (const MDNode *one : asked->operands())
        if (Function *callee = callee_in(*one, module))
            found.emplace_back(callee, use_in(*one));
    ask_pointers_as_recorded(module, to_vector(make_first_range(found)));
    for (const auto &[callee, use] : found)
        reuse_blocks(*callee, use);
    asked->eraseFromParent();
}

std::vector<model::CountedFunction> count_reuse(Module &module, FunctionAnalysisManager &analyses) {
    const TargetLibraryInfo *library = library_of(module, analyses);
    if (!library || may_be_unloaded(module))
        return {};
    const Keeps keeps = obstacle_to_kept_blocks(module).empty() ? Keeps::blocks : Keeps::nothing;
    std::vector<std::pair<Function *, knowledge::BlockUse>> found;
    for (Function &function : module)
        if (const auto use = block_use(function, *library); use && !function.use_empty())
            found.emplace_back(&function, *use);
    std::vector<model::CountedFunction> counted;
    for (const auto &[callee, use] : found)
        ask_all_pointers(*callee);
    for (const auto &[callee, use] : found)
        counted.push_back(reuse_blocks_counted(*callee, use, keeps));
    return counted;
}

}  // namespace thalweg::transform
