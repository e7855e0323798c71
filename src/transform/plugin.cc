// transform: the plug-in's entrance: which of our passes and of LLVM's a link gets.
#include <cstdlib>
#include <memory>

#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Passes/PassPlugin.h"
#include "llvm/Support/ErrorHandling.h"

#include "job/job.h"
#include "transform/driver.h"
#include "transform/event/slot_image.h"
#include "transform/files.h"
#include "transform/ir/abi.h"
#include "transform/ir/byte_swap.h"
#include "transform/ir/empty_function.h"
#include "transform/ir/exact_math.h"
#include "transform/ir/rounding.h"
#include "transform/ir/symbols.h"
#include "transform/ir/unwinding.h"
#include "transform/ir/use.h"
#include "transform/libc/reuse.h"
#include "transform/probe/probe.h"
#include "transform/program/small_functions.h"
#include "transform/site/crossing_mark.h"
#include "transform/system_call/stretch_thunk.h"
#include "transform/system_call/table.h"

namespace thalweg::transform {

using namespace llvm;

namespace {

constexpr const char *job_variable = "THALWEG_TRANSFORM_JOB";

// The program has a file's content, as it was when it was built, and each link would read the file again.
void refuse_files_of_assembler(const Module &module) {
    const auto check = [](StringRef assembler) {
        for (const StringRef word : {".incbin", ".include"})
            if (assembler.contains(word))
                report_fatal_error(Twine("thalweg: assembler code takes a file in by ") + word +
                                       ", which each link would read again; compile the source that has it with "
                                       "clang-19",
                                   false);
    };
    check(module.getModuleInlineAsm());
    for (const Function &function : module)
        for (const Instruction &one : instructions(function))
            if (const auto *call = dyn_cast<CallBase>(&one); call && call->isInlineAsm())
                check(cast<InlineAsm>(call->getCalledOperand())->getAsmString());
}

class DispatchPass : public PassInfoMixin<DispatchPass> {
  public:
    explicit DispatchPass(job::TransformJob job) : job_(std::move(job)) {}

    PreservedAnalyses run(Module &module, ModuleAnalysisManager &manager) {
        transform(module, manager);
        return PreservedAnalyses::none();
    }

    // Whether nothing but calls was changed: then what the program's own build made of it needs no more than that build did.
    bool transform(Module &module, ModuleAnalysisManager &manager) {
        refuse_files_of_assembler(module);
        join_abi(module);
        note_called_elsewhere(job_.called_elsewhere, module);
        if (job_.is_library)
            note_library(module);
        if (!job_.recording_part.empty())
            emit_recording_part(module, job_.recording_part);
        float_environment_ = user_of_float_environment(module);
        note_rounding(module);
        take_crossing_marks(module);
        call_tabled_directly(module);
        const Link link{module, manager, job_};
        keep_inexact_math(module, link.analyses());
        if (job_.links_cxx || catches(module))
            doubt_that_calls_return(module);
        bool only_calls = false;
        switch (job_.mode) {
        case job::TransformJob::Mode::probe:
            make_twin(link);
            break;
        case job::TransformJob::Mode::optimize:
        case job::TransformJob::Mode::trial:
            only_calls = optimise(link);
            break;
        case job::TransformJob::Mode::object:
            make_object(link);
            break;
        case job::TransformJob::Mode::count_unit:
            count_unit(link);
            break;
        case job::TransformJob::Mode::optimize_unit:
            optimise_unit(link);
            break;
        }
        forget_rounding(module);
        // Nothing is made of what was only tried.
        if (job_.mode == job::TransformJob::Mode::trial)
            return only_calls;
        std::string complaint;
        raw_string_ostream stream(complaint);
        if (verifyModule(module, &stream))
            report_fatal_error(Twine("thalweg: our bug: the module is broken: ") + complaint, false);
        return only_calls;
    }

    // What of the program lets floating point depend on more than its operands; empty: nothing does. Of what was transformed.
    const std::string &float_environment() const { return float_environment_; }

    // NOLINTNEXTLINE(readability-identifier-naming): the name that LLVM's pass manager looks for
    static bool isRequired() { return true; }

  private:
    job::TransformJob job_;
    std::string float_environment_;
};

class SmallFunctionsPass : public PassInfoMixin<SmallFunctionsPass> {
  public:
    explicit SmallFunctionsPass(OptimizationLevel level) : level_(level) {}

    PreservedAnalyses run(Module &module, ModuleAnalysisManager &manager) {
        inline_small_functions(module, manager, level_);
        return PreservedAnalyses::none();
    }

  private:
    OptimizationLevel level_;
};

// What is only right when nothing of LLVM's comes after it.
class LatePass : public PassInfoMixin<LatePass> {
  public:
    PreservedAnalyses run(Module &module, ModuleAnalysisManager &) {
        put_reuse(module);
        inline_joined_tests(module);
        put_stretches_into_thunks(module);
        lower_byte_swaps(module);
        fill_empty_functions(module);
        return PreservedAnalyses::none();
    }

    // NOLINTNEXTLINE(readability-identifier-naming): the name that LLVM's pass manager looks for
    static bool isRequired() { return true; }
};

// The rest of those by which the program's own build made code of the same bitcode.
void run_own_passes(Module &module, ModuleAnalysisManager &manager, PassBuilder &builder, OptimizationLevel level) {
    builder.buildModuleOptimizationPipeline(level, ThinOrFullLTOPhase::None).run(module, manager);
    LatePass().run(module, manager);
}

// All of a link's passes. Which, is known when the program has been changed: where nothing but calls was, the rest of those by which its
// own build made code of the same bitcode; else those of link-time optimisation, which lines and layers are made for. These would compute
// in the default rounding mode what a call in another file keeps from the program's own build, so a program that changes it gets its own.
class LinkPass : public PassInfoMixin<LinkPass> {
  public:
    LinkPass(job::TransformJob job, PassBuilder &builder, OptimizationLevel level, std::shared_ptr<bool> transformed)
        : job_(std::move(job)), builder_(builder), level_(level), transformed_(std::move(transformed)) {}

    PreservedAnalyses run(Module &module, ModuleAnalysisManager &manager) {
        DispatchPass pass(job_);
        const bool only_calls = pass.transform(module, manager);
        *transformed_ = true;
        manager.invalidate(module, PreservedAnalyses::none());
        if (job_.mode == job::TransformJob::Mode::trial)
            return PreservedAnalyses::none();
        if (job_.is_library && !pass.float_environment().empty())
            keep_apart_what_computes(module);
        const bool computes_as_built = !job_.is_library && !pass.float_environment().empty();
        if ((only_calls || computes_as_built) && !tests_types(module)) {
            if (computes_as_built)
                hide_contents(module);
            run_own_passes(module, manager, builder_, level_);
        } else {
            if (job_.mode == job::TransformJob::Mode::optimize && !job_.counts_path.empty())
                SmallFunctionsPass(level_).run(module, manager);
            builder_.buildLTODefaultPipeline(level_of_link(), nullptr).run(module, manager);
        }
        return PreservedAnalyses::none();
    }

    // NOLINTNEXTLINE(readability-identifier-naming): the name that LLVM's pass manager looks for
    static bool isRequired() { return true; }

  private:
    // A twin's code has been through its program's own passes. To optimise it across files as well is a fifth to two fifths of its link, and makes its
    // run no shorter, but for lua's by 8 % of the instructions (seven programs, four of them chosen afterwards: docs/FIGURES.md).
    OptimizationLevel level_of_link() const {
        return job_.mode == job::TransformJob::Mode::probe ? OptimizationLevel::O1 : level_;
    }

    job::TransformJob job_;
    PassBuilder &builder_;
    OptimizationLevel level_;
    std::shared_ptr<bool> transformed_;
};

// All that a unit gets before a link by ThinLTO, in `opt`.
class UnitPass : public PassInfoMixin<UnitPass> {
  public:
    UnitPass(job::TransformJob job, PassBuilder &builder, OptimizationLevel level)
        : job_(std::move(job)), builder_(builder), level_(level) {}

    PreservedAnalyses run(Module &module, ModuleAnalysisManager &manager) {
        DispatchPass(job_).transform(module, manager);
        manager.invalidate(module, PreservedAnalyses::none());
        if (job_.computes_as_built) {
            hide_contents(module);
            run_own_passes(module, manager, builder_, level_);
        } else if (job_.mode == job::TransformJob::Mode::optimize_unit && !job_.counts_path.empty())
            inline_small_functions(module, manager, level_);
        return PreservedAnalyses::none();
    }

    // NOLINTNEXTLINE(readability-identifier-naming): the name that LLVM's pass manager looks for
    static bool isRequired() { return true; }

  private:
    job::TransformJob job_;
    PassBuilder &builder_;
    OptimizationLevel level_;
};

OptimizationLevel level_of(StringRef name) { return name == "O3" ? OptimizationLevel::O3 : OptimizationLevel::O2; }

void add_passes(PassBuilder &builder) {
    const char *path = std::getenv(job_variable);
    if (!path)
        return;
    const job::TransformJob asked = value_or_die(job::read_job(read_file(path)));
    const auto transformed = std::make_shared<bool>(false);
    builder.registerFullLinkTimeOptimizationEarlyEPCallback(
        [asked, transformed](ModulePassManager &passes, OptimizationLevel) {
            if (!*transformed)
                passes.addPass(DispatchPass(asked));
        });
    builder.registerFullLinkTimeOptimizationLastEPCallback(
        [](ModulePassManager &passes, OptimizationLevel) { passes.addPass(LatePass()); });
    builder.registerPipelineParsingCallback(
        [asked, transformed, &builder](StringRef name, ModulePassManager &passes, auto) {
            if (name.consume_front("thalweg-link-"))
                passes.addPass(LinkPass(asked, builder, level_of(name), transformed));
            else if (name.consume_front("thalweg-unit-"))
                passes.addPass(UnitPass(asked, builder, level_of(name)));
            else if (name == "thalweg")
                passes.addPass(DispatchPass(asked));
            else if (name == "thalweg-small")
                passes.addPass(SmallFunctionsPass(OptimizationLevel::O2));
            else if (name == "thalweg-late")
                passes.addPass(LatePass());
            else
                return false;
            return true;
        });
}

}  // namespace

}  // namespace thalweg::transform

extern "C" LLVM_ATTRIBUTE_WEAK llvm::PassPluginLibraryInfo llvmGetPassPluginInfo() {
    return {LLVM_PLUGIN_API_VERSION, "Thalweg", "1", thalweg::transform::add_passes};
}
