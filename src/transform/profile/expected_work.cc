// transform: how many instructions an entry of a function executes.
#include "transform/profile/expected_work.h"

#include "llvm/Analysis/BlockFrequencyInfo.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/ProfileData/InstrProf.h"

namespace thalweg::transform {

using namespace llvm;

namespace {

// Of one block, for each entry of its function: more is no count, but what LLVM makes of loops that are never left.
constexpr double most_rounds = 1e9;
// What is executed less often than this is not asked what it calls.
constexpr double least_rounds = 1e-3;
// A call through a pointer, beside what it calls: 2.4 ns more than a direct one (plan/cost_table.h, dispatch loop against direct calls), where the
// median instruction of the board takes 0.17.
constexpr double through_a_pointer = 14;
// Calls within calls that are followed: generated code has chains of thousands, and what lies so deep is the same in original and copy.
constexpr unsigned most_levels = 64;

// Calls of functions that have a body, returns and jumps are what LLVM's own inlining leaves out as well.
bool is_code(const Instruction &instruction) {
    const auto *intrinsic = dyn_cast<IntrinsicInst>(&instruction);
    if (isa<PHINode, ReturnInst>(instruction) || (intrinsic && intrinsic->isAssumeLikeIntrinsic()))
        return false;
    if (const auto *branch = dyn_cast<BranchInst>(&instruction))
        return branch->isConditional();
    const auto *call = dyn_cast<CallBase>(&instruction);
    return !call || !call->getCalledFunction() || call->getCalledFunction()->isDeclaration();
}

}  // namespace

ExpectedWork::ExpectedWork(Module &module, FunctionAnalysisManager &analyses)
    : analyses_(analyses), by_name_(functions_by_profile_name(module)) {}

std::optional<double> ExpectedWork::of_entry(Function &function) {
    const auto entries = function.getEntryCount();
    knows_all_calls_ = true;
    if (!entries || entries->getCount() == 0)
        return {};
    return of_body(function);
}

std::optional<double> ExpectedWork::of_copy(Function &copy) { return of_body(copy); }

double ExpectedWork::of_calls_in(Function &copy) {
    double work = 0;
    for (auto at = 0u; const double rounds : rounds_of(copy))
        for (const Instruction &instruction : *std::next(copy.begin(), at++))
            if (const auto *call = dyn_cast<CallBase>(&instruction); call && rounds > least_rounds)
                work += rounds * of_call(*call);
    return work;
}

double ExpectedWork::of_instruction(const Instruction &instruction) {
    const auto *call = dyn_cast<CallBase>(&instruction);
    return (is_code(instruction) ? 1 : 0) + (call && call->isIndirectCall() ? through_a_pointer : 0);
}

// How often each block is executed for an entry. Nothing is kept of the function, which is about to be changed by passes that ask for these anew.
std::vector<double> ExpectedWork::rounds_of(Function &function) {
    const auto &frequencies = analyses_.getResult<BlockFrequencyAnalysis>(function);
    const auto entry = static_cast<double>(frequencies.getEntryFreq().getFrequency());
    std::vector<double> rounds;
    for (const BasicBlock &block : function)
        rounds.push_back(static_cast<double>(frequencies.getBlockFreq(&block).getFrequency()) / entry);
    analyses_.invalidate(function, PreservedAnalyses::none());
    return rounds;
}

std::optional<double> ExpectedWork::of_body(Function &function) {
    const std::vector<double> rounds = rounds_of(function);
    double work = 0;
    for (auto at = rounds.begin(); const BasicBlock &block : function) {
        if (*at > most_rounds)
            return std::nullopt;
        double once = 0;
        for (const Instruction &instruction : block) {
            once += of_instruction(instruction);
            if (const auto *call = dyn_cast<CallBase>(&instruction); call && *at > least_rounds)
                once += of_call(*call);
        }
        work += *at++ * once;
    }
    return work;
}

double ExpectedWork::of_call(const CallBase &call) {
    if (auto *callee = dyn_cast<Function>(call.getCalledOperand()->stripPointerCasts()))
        return of_callee(*callee);
    uint64_t all = 0;
    double work = 0;
    for (const InstrProfValueData &target : getValueProfDataFromInst(call, IPVK_IndirectCallTarget, most_targets, all))
        if (Function *callee = by_name_.lookup(target.Value))
            work += of_callee(*callee) * static_cast<double>(target.Count);
    if (call.isIndirectCall())
        knows_all_calls_ &= all != 0;
    return all == 0 ? 0 : work / static_cast<double>(all);
}

double ExpectedWork::of_callee(Function &function) {
    if (function.isDeclaration() || levels_ == most_levels)
        return 0;
    const auto [known, is_new] = known_.try_emplace(&function);
    if (is_new) {
        const bool knew_all = std::exchange(knows_all_calls_, true);
        const auto entries = function.getEntryCount();
        ++levels_;
        const double work = entries && entries->getCount() != 0 ? of_body(function).value_or(0) : 0;
        --levels_;
        known_[&function] = {work, std::exchange(knows_all_calls_, knew_all)};
    }
    const Known found = known_.lookup(&function);
    knows_all_calls_ &= found.knows_all_calls;
    return found.work;
}

}  // namespace thalweg::transform
