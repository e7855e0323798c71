// transform: the plug-in's entrance and the list of its passes.
#include <cstdlib>
#include <fstream>
#include <memory>
#include <sstream>

#include "llvm/IR/Verifier.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Passes/PassPlugin.h"
#include "llvm/Support/ErrorHandling.h"

#include "model/plan.h"
#include "transform/cache/cache.h"
#include "transform/event/event.h"
#include "transform/event/placement.h"
#include "transform/event/slot_image.h"
#include "transform/ir/byte_swap.h"
#include "transform/ir/symbols.h"
#include "transform/ir/use.h"
#include "transform/probe/cache.h"
#include "transform/probe/fact.h"
#include "transform/probe/probe.h"
#include "transform/probe/system_call.h"
#include "transform/probe/wait.h"
#include "transform/program/own_inlining.h"
#include "transform/program/own_place.h"
#include "transform/program/stand_alone.h"
#include "transform/remarks.h"
#include "transform/site/crossing_mark.h"
#include "transform/site/dispatch_site.h"
#include "transform/site/expand.h"
#include "transform/site/fact_call.h"
#include "transform/specializer/layer.h"
#include "transform/system_call/site.h"
#include "transform/system_call/stretch_thunk.h"
#include "transform/system_call/system_call.h"
#include "transform/system_call/table.h"

namespace thalweg::transform {

using namespace llvm;

namespace {

constexpr const char *job_variable = "THALWEG_TRANSFORM_JOB";

std::string read_file(const std::string &path) {
    std::ifstream file(path, std::ios::binary);
    if (!file)
        report_fatal_error(Twine("thalweg: can't read ") + path, false);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

void write_file(const std::string &path, const std::string &text) {
    std::ofstream file(path, std::ios::binary);
    file << text;
    file.close();
    if (!file)
        report_fatal_error(Twine("thalweg: can't write ") + path, false);
}

template <class T>
T value_or_die(Result<T> result) {
    if (!result)
        report_fatal_error(Twine("thalweg: ") + result.error().message, false);
    return std::move(*result);
}

class DispatchPass : public PassInfoMixin<DispatchPass> {
  public:
    explicit DispatchPass(model::TransformJob job) : job_(std::move(job)) {}

    PreservedAnalyses run(Module &module, ModuleAnalysisManager &manager) {
        transform(module, manager);
        return PreservedAnalyses::none();
    }

    // Whether nothing but calls was changed: then what the program's own build made of it needs no more than that build did.
    bool transform(Module &module, ModuleAnalysisManager &manager) {
        take_crossing_marks(module);
        call_tabled_directly(module);
        FunctionAnalysisManager &analyses = manager.getResult<FunctionAnalysisManagerModuleProxy>(module).getManager();
        bool only_calls = false;
        switch (job_.mode) {
        case model::TransformJob::Mode::probe:
            probe(module, analyses);
            break;
        case model::TransformJob::Mode::optimize:
            only_calls = optimise(module, analyses);
            break;
        case model::TransformJob::Mode::object:
            make_object(module, analyses, manager);
            break;
        }
        std::string complaint;
        raw_string_ostream stream(complaint);
        if (verifyModule(module, &stream))
            report_fatal_error(Twine("thalweg: our bug: the module is broken: ") + complaint, false);
        return only_calls;
    }

    // NOLINTNEXTLINE(readability-identifier-naming): the name that LLVM's pass manager looks for
    static bool isRequired() { return true; }

  private:
    // Facts speak of the program's own functions, dispatch sites of what they are when each caller has its dispatchers.
    void probe(Module &module, FunctionAnalysisManager &analyses) {
        const uint64_t before = module.getInstructionCount();
        const std::vector<model::Site> calls = find_system_calls(module);
        BodyList bodies = collect_bodies(module);
        FactPlaces found = find_fact_places(bodies);
        add_places_by_call(bodies, found);
        const std::vector<WatchedComputation> computations = find_computations(bodies);
        count_computations(computations, found);
        mark_fact_places(bodies, found);
        expand_dispatchers(module, analyses);
        const std::vector<DispatchSite> sites = find_dispatch_sites(module);
        const std::vector<WaitSite> waits = find_wait_sites(module);
        model::SiteTable table = insert_probes(module, sites);
        insert_wait_probes(module, waits, static_cast<uint32_t>(sites.size()));
        for (const WaitSite &wait : waits)
            table.sites.push_back(wait.key);
        table.sites.insert(table.sites.end(), calls.begin(), calls.end());
        insert_fact_probes(module, bodies.bodies, found, computations.size());
        insert_computation_probes(module, bodies.bodies, computations, found.places.size());
        insert_system_call_probes(module, static_cast<uint32_t>(sites.size() + waits.size()));
        for (const WatchedComputation &one : computations)
            table.computations.push_back(one.of);
        for (const WatchedPlace &place : found.places)
            table.fact_places.push_back(place.place);
        table.functions = std::move(bodies.bodies);
        table.instructions = before;
        write_file(job_.site_table_path, model::write_site_table(table));
    }

    bool is_asked(const model::Decision &decision) const {
        return decision.verdict == model::Verdict::apply &&
               (job_.only_decisions.empty() || is_contained(job_.only_decisions, decision.id));
    }

    bool optimise(Module &module, FunctionAnalysisManager &analyses) {
        const uint64_t before = module.getInstructionCount();
        const model::Plan plan = value_or_die(model::read_plan(read_file(job_.plan_path)));
        note_called_elsewhere(job_.called_elsewhere, module);
        GuardCounter counter(module, job_.count_guards);
        const std::vector<model::Site> calls = find_system_calls(module);
        std::vector<model::DecisionOutcome> crossings =
            overlap_remote_calls(plan, job_.only_decisions, calls, module, analyses);
        Caches caches(plan, job_.only_decisions, module);
        const std::vector<model::DecisionOutcome> layers =
            specialise_layers(plan, job_.only_decisions, module, analyses, counter);
        const std::vector<model::DecisionOutcome> kept = caches.put(counter);
        const bool wants_lines = any_of(plan.decisions, [&](const model::Decision &decision) {
            return is_of_dispatch(decision.kind) && is_asked(decision);
        });
        if (wants_lines)
            expand_dispatchers(module, analyses);
        const std::vector<DispatchSite> sites = find_dispatch_sites(module);
        const PathTree tree = resolve(plan, job_.only_decisions, sites, module);
        const Remarks remarks(module, sites);
        PathTable paths(module);
        model::Outcome outcome;
        outcome.decisions = specialise_dispatches(analyses, sites, tree, paths, counter);
        outcome.decisions.insert(outcome.decisions.end(), tree.refused.begin(), tree.refused.end());
        outcome.decisions.insert(outcome.decisions.end(), layers.begin(), layers.end());
        outcome.decisions.insert(outcome.decisions.end(), kept.begin(), kept.end());
        const std::vector<model::DecisionOutcome> others =
            improve_system_calls(plan, job_.only_decisions, calls, module, analyses);
        crossings.insert(crossings.end(), others.begin(), others.end());
        const auto is_applied = [](const model::DecisionOutcome &one) { return one.applied; };
        const bool only_crossings = none_of(outcome.decisions, is_applied);
        if (any_of(crossings, is_applied) && only_crossings)
            keep_own_inlining(module);
        const bool only_calls = only_crossings && !wants_lines && !makes_code(plan, crossings);
        if (only_calls)
            begin_where_they_began(job_.places, module);
        outcome.decisions.insert(outcome.decisions.end(), crossings.begin(), crossings.end());
        llvm::sort(outcome.decisions, [](const auto &a, const auto &b) { return a.decision < b.decision; });
        place_contexts_together(tree, module);
        paths.emit();
        counter.emit();
        outcome.instructions_before = before;
        outcome.instructions_after = module.getInstructionCount();
        remarks.tell(plan, outcome.decisions);
        write_file(job_.outcome_path, model::write_outcome(outcome));
        return only_calls;
    }

    void make_object(Module &module, FunctionAnalysisManager &analyses, ModuleAnalysisManager &manager) {
        const model::Plan plan = value_or_die(model::read_plan(read_file(job_.plan_path)));
        if (plan.decisions.size() != 1 || plan.decisions.front().kind != model::DecisionKind::specialize)
            report_fatal_error("thalweg: an object is made of one decision of kind specialize", false);
        model::Outcome outcome;
        outcome.instructions_before = module.getInstructionCount();
        Specialised made = specialise_beside(plan.decisions.front(), module, analyses);
        if (made.residual) {
            StandAlone alone = keep_alone(*made.residual, *made.root, job_.object_symbol, module, manager);
            if (alone.problem.empty())
                outcome.object = std::move(alone.object);
            else
                made.outcome = {made.outcome.decision, false, alone.problem, 0};
        }
        outcome.decisions.push_back(std::move(made.outcome));
        outcome.instructions_after = outcome.object ? module.getInstructionCount() : outcome.instructions_before;
        write_file(job_.outcome_path, model::write_outcome(outcome));
    }

    model::TransformJob job_;
};

// What is only right when nothing of LLVM's comes after it.
class LatePass : public PassInfoMixin<LatePass> {
  public:
    PreservedAnalyses run(Module &module, ModuleAnalysisManager &) {
        inline_joined_tests(module);
        put_stretches_into_thunks(module);
        lower_byte_swaps(module);
        return PreservedAnalyses::none();
    }

    // NOLINTNEXTLINE(readability-identifier-naming): the name that LLVM's pass manager looks for
    static bool isRequired() { return true; }
};

// All of a link's passes. Which, is known when the program has been changed: where nothing but calls was, the rest of those by which its
// own build made code of the same bitcode; else those of link-time optimisation, which lines and layers are made for.
class LinkPass : public PassInfoMixin<LinkPass> {
  public:
    LinkPass(model::TransformJob job, PassBuilder &builder, OptimizationLevel level, std::shared_ptr<bool> transformed)
        : job_(std::move(job)), builder_(builder), level_(level), transformed_(std::move(transformed)) {}

    PreservedAnalyses run(Module &module, ModuleAnalysisManager &manager) {
        const bool only_calls = DispatchPass(job_).transform(module, manager);
        *transformed_ = true;
        manager.invalidate(module, PreservedAnalyses::none());
        if (only_calls && !tests_types(module)) {
            builder_.buildModuleOptimizationPipeline(level_, ThinOrFullLTOPhase::None).run(module, manager);
            LatePass().run(module, manager);
        } else {
            builder_.buildLTODefaultPipeline(level_, nullptr).run(module, manager);
        }
        return PreservedAnalyses::none();
    }

    // NOLINTNEXTLINE(readability-identifier-naming): the name that LLVM's pass manager looks for
    static bool isRequired() { return true; }

  private:
    // What tells types apart by addresses is made by link-time optimisation alone.
    static bool tests_types(const Module &module) {
        for (const Intrinsic::ID test :
             {Intrinsic::type_test, Intrinsic::public_type_test, Intrinsic::type_checked_load})
            if (const Function *function = module.getFunction(Intrinsic::getName(test));
                function && !function->use_empty())
                return true;
        return false;
    }

    model::TransformJob job_;
    PassBuilder &builder_;
    OptimizationLevel level_;
    std::shared_ptr<bool> transformed_;
};

void add_passes(PassBuilder &builder) {
    const char *path = std::getenv(job_variable);
    if (!path)
        return;
    const model::TransformJob job = value_or_die(model::read_job(read_file(path)));
    const auto transformed = std::make_shared<bool>(false);
    builder.registerFullLinkTimeOptimizationEarlyEPCallback(
        [job, transformed](ModulePassManager &passes, OptimizationLevel) {
            if (!*transformed)
                passes.addPass(DispatchPass(job));
        });
    builder.registerFullLinkTimeOptimizationLastEPCallback(
        [](ModulePassManager &passes, OptimizationLevel) { passes.addPass(LatePass()); });
    builder.registerPipelineParsingCallback(
        [job, transformed, &builder](StringRef name, ModulePassManager &passes, auto) {
            if (name.consume_front("thalweg-link-"))
                passes.addPass(
                    LinkPass(job, builder, name == "O3" ? OptimizationLevel::O3 : OptimizationLevel::O2, transformed));
            else if (name == "thalweg")
                passes.addPass(DispatchPass(job));
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
