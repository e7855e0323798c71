// transform: one unit of a program that is linked by ThinLTO, which no pass of ours sees as a whole.
#include "llvm/IR/DebugInfo.h"
#include "llvm/Transforms/Instrumentation.h"
#include "llvm/Transforms/Instrumentation/InstrProfiling.h"
#include "llvm/Transforms/Instrumentation/PGOInstrumentation.h"

#include "model/plan.h"
#include "transform/driver.h"
#include "transform/files.h"
#include "transform/ir/rounding.h"
#include "transform/ir/use.h"
#include "transform/profile/use.h"
#include "transform/program/early_binding.h"

namespace thalweg::transform {

using namespace llvm;

namespace {

// Whoever runs the twin without the recorder's variable keeps nothing.
constexpr const char *no_profile = "/dev/null";

void set_flag(Module &module, StringRef name, uint32_t value) {
    NamedMDNode *flags = module.getOrInsertModuleFlagsMetadata();
    SmallVector<MDNode *, 16> others;
    for (MDNode *flag : flags->operands())
        if (cast<MDString>(flag->getOperand(1))->getString() != name)
            others.push_back(flag);
    flags->clearOperands();
    for (MDNode *flag : others)
        flags->addOperand(flag);
    module.addModuleFlag(Module::Error, name, value);
}

// The bitcode was kept for a link of the whole program at once. No unit is split in two, for no type is tested (refuse_type_tests).
void mark_for_thin_link(Module &module) {
    set_flag(module, "ThinLTO", 1);
    set_flag(module, "EnableSplitLTOUnit", 0);
}

// Link-time optimisation alone makes code of such tests, of the whole program.
void refuse_type_tests(const Module &module) {
    if (tests_types(module))
        report_fatal_error("thalweg: the unit tells types apart by addresses (-fsanitize=cfi); such a program is not "
                           "linked by ThinLTO here: leave out --thinlto",
                           false);
}

model::Outcome outcome_of(const Link &link) {
    model::Outcome outcome;
    outcome.instructions_before = link.module.getInstructionCount();
    outcome.float_environment = user_of_float_environment(link.module);
    return outcome;
}

}  // namespace

void count_unit(const Link &link) {
    refuse_type_tests(link.module);
    const model::Outcome outcome = outcome_of(link);
    PGOInstrumentationGen().run(link.module, link.manager);
    link.manager.invalidate(link.module, PreservedAnalyses::none());
    InstrProfOptions options;
    options.DoCounterPromotion = true;
    options.InstrProfileOutput = no_profile;
    InstrProfilingLoweringPass(options).run(link.module, link.manager);
    stripNonLineTableDebugInfo(link.module);
    mark_for_thin_link(link.module);
    write_file(link.job.outcome_path, model::write_outcome(outcome));
}

void optimise_unit(const Link &link) {
    refuse_type_tests(link.module);
    model::Outcome outcome = outcome_of(link);
    if (!link.job.counts_path.empty()) {
        const CountsUsed counts = use_indexed_counts(link.module, link.manager, link.job.counts_path);
        outcome.counted_functions = counts.fitting;
        outcome.miscounted_functions = counts.misfitting;
    }
    tell_heat(link.module);
    fit_memory_operations(link.module, link.analyses());
    if (outcome.counted_functions != 0) {
        bind_what_was_called(link.module, link.analyses());
        shrink_what_is_cold(link.module, link.manager);
    }
    mark_for_thin_link(link.module);
    outcome.instructions_after = link.module.getInstructionCount();
    write_file(link.job.outcome_path, model::write_outcome(outcome));
}

}  // namespace thalweg::transform
