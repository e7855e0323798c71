// transform: the plug-in's entrance and the list of its passes.
#include <cstdlib>
#include <fstream>
#include <memory>
#include <sstream>

#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Passes/PassPlugin.h"
#include "llvm/Support/ErrorHandling.h"

#include "job/job.h"
#include "model/plan.h"
#include "transform/cache/cache.h"
#include "transform/event/lines.h"
#include "transform/event/placement.h"
#include "transform/event/slot_image.h"
#include "transform/ir/abi.h"
#include "transform/ir/byte_swap.h"
#include "transform/ir/empty_function.h"
#include "transform/ir/rounding.h"
#include "transform/ir/symbols.h"
#include "transform/ir/use.h"
#include "transform/probe/cache.h"
#include "transform/probe/fact.h"
#include "transform/probe/probe.h"
#include "transform/probe/system_call.h"
#include "transform/probe/wait.h"
#include "transform/profile/counters.h"
#include "transform/profile/use.h"
#include "transform/program/own_inlining.h"
#include "transform/program/own_place.h"
#include "transform/program/reach.h"
#include "transform/program/stand_alone.h"
#include "transform/remarks.h"
#include "transform/site/asked.h"
#include "transform/site/crossing_mark.h"
#include "transform/site/dispatch_site.h"
#include "transform/site/expand.h"
#include "transform/site/fact_call.h"
#include "transform/site/recorded_body.h"
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
    explicit DispatchPass(job::TransformJob job) : job_(std::move(job)) {}

    PreservedAnalyses run(Module &module, ModuleAnalysisManager &manager) {
        transform(module, manager);
        return PreservedAnalyses::none();
    }

    // Whether nothing but calls was changed: then what the program's own build made of it needs no more than that build did.
    bool transform(Module &module, ModuleAnalysisManager &manager) {
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
        FunctionAnalysisManager &analyses = manager.getResult<FunctionAnalysisManagerModuleProxy>(module).getManager();
        bool only_calls = false;
        switch (job_.mode) {
        case job::TransformJob::Mode::probe:
            probe(module, analyses, manager);
            break;
        case job::TransformJob::Mode::optimize:
        case job::TransformJob::Mode::trial:
            only_calls = optimise(module, analyses, manager);
            break;
        case job::TransformJob::Mode::object:
            make_object(module, analyses, manager);
            break;
        }
        forget_rounding(module);
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
    // Facts speak of the program's own functions, dispatch sites of what they are when each caller has its dispatchers.
    void probe(Module &module, FunctionAnalysisManager &analyses, ModuleAnalysisManager &manager) {
        const uint64_t before = module.getInstructionCount();
        const uint64_t room = room_for_copies(before);
        const std::vector<model::Site> calls = find_system_calls(module);
        BodyList bodies = collect_bodies(module);
        FactPlaces found = find_fact_places(bodies);
        add_places_by_call(bodies, found);
        const std::vector<WatchedComputation> computations = find_computations(bodies);
        count_computations(computations, found);
        mark_fact_places(bodies, found);
        const std::vector<RecordedSite> uncounted = find_recorded_sites(module, analyses, room);
        const std::vector<model::CountedFunction> counted = insert_counters(module, manager);
        expand_dispatchers(module, analyses, room);
        std::vector<DispatchSite> sites = find_dispatch_sites(module);
        take_keys(uncounted, sites);
        const std::vector<WaitSite> waits = find_wait_sites(module);
        Slots slots = dispatch_slots(module);
        model::SiteTable table = insert_probes(module, sites, slots);
        insert_wait_probes(module, waits, static_cast<uint32_t>(sites.size()), slots);
        emit_slots(module, slots);
        for (const WaitSite &wait : waits)
            table.sites.push_back(wait.key);
        table.sites.insert(table.sites.end(), calls.begin(), calls.end());
        insert_fact_probes(module, bodies.bodies, found, computations.size(), before);
        insert_computation_probes(module, bodies.bodies, computations, found.places.size());
        insert_system_call_probes(module, static_cast<uint32_t>(sites.size() + waits.size()));
        for (const WatchedComputation &one : computations)
            table.computations.push_back(one.of);
        for (const WatchedPlace &place : found.places)
            table.fact_places.push_back(place.place);
        table.functions = std::move(bodies.bodies);
        table.instructions = before;
        table.counted = counted;
        lower_counters(module, manager, counted);
        // Lines for a backtrace stay; where variables lie nobody asks of a twin, and it is a quarter of the file (measured on sqlite3).
        stripNonLineTableDebugInfo(module);
        write_file(job_.site_table_path, model::write_site_table(table));
    }

    // Where the counters stand the code is not as the optimising link sees it; that one finds a site by its function's hash without them.
    static void take_keys(const std::vector<RecordedSite> &uncounted, std::vector<DispatchSite> &sites) {
        std::map<std::pair<std::string, uint32_t>, const model::Site *> keys;
        for (const RecordedSite &one : uncounted)
            keys[{one.site.key.function, one.site.key.ordinal}] = &one.site.key;
        for (DispatchSite &site : sites)
            if (const auto found = keys.find({site.key.function, site.key.ordinal}); found != keys.end())
                site.key = *found->second;
    }

    // Everything that decisions name is found before anything is changed, and found again by its mark.
    bool optimise(Module &module, FunctionAnalysisManager &analyses, ModuleAnalysisManager &manager) {
        const uint64_t before = module.getInstructionCount();
        const CountsUsed counts =
            job_.counts_path.empty() ? CountsUsed{} : use_counts(module, manager, read_file(job_.counts_path));
        if (!counts.problem.empty())
            report_fatal_error(Twine("thalweg: our bug: LLVM does not read the counts: ") + counts.problem, false);
        const uint64_t executed = executed_instructions(module, analyses);
        const model::Plan whole = value_or_die(model::read_plan(read_file(job_.plan_path)));
        const auto [plan, left] = asked_of(whole, job_.only_decisions);
        GuardCounter counter(module, job_.count_guards);
        const std::vector<model::Site> calls = find_system_calls(module);
        RecordedBodies bodies(plan, module);
        Lines lines(plan, module, analyses, room_for_copies(before), job_.remarks);
        const Remarks remarks(module, lines.sites());
        std::vector<model::DecisionOutcome> crossings = overlap_remote_calls(plan, calls, module, analyses);
        bodies.note_changes();
        const LineClaims claims = lines.prepare();
        Caches caches(plan, bodies, module);
        model::Outcome outcome;
        outcome.decisions = specialise_layers(plan, bodies, claims, module, analyses, counter);
        const std::map<std::string, uint32_t> taken = functions_of(plan, outcome.decisions);
        const auto add = [&](const std::vector<model::DecisionOutcome> &more) {
            outcome.decisions.insert(outcome.decisions.end(), more.begin(), more.end());
        };
        add(caches.put(counter));
        PathTable paths(module);
        add(lines.make(taken, paths, counter));
        const std::vector<model::DecisionOutcome> others = improve_system_calls(plan, calls, module, analyses);
        crossings.insert(crossings.end(), others.begin(), others.end());
        const auto is_applied = [](const model::DecisionOutcome &one) { return one.applied; };
        const bool only_crossings = none_of(outcome.decisions, is_applied);
        // With counts LLVM's inlining is as good as link-time optimisation has it.
        if (any_of(crossings, is_applied) && only_crossings && counts.fitting == 0)
            keep_own_inlining(module);
        const bool only_calls = only_crossings && !makes_code(plan, crossings) && counts.fitting == 0;
        if (only_calls)
            begin_where_they_began(job_.places, module);
        add(crossings);
        add(left);
        llvm::sort(outcome.decisions, [](const auto &a, const auto &b) { return a.decision < b.decision; });
        place_contexts_together(lines.tree(), module);
        paths.emit();
        counter.emit();
        take_back_what_is_dead(module, whole, outcome.decisions);
        tell_heat(module);
        outcome.instructions_before = before;
        outcome.instructions_after = module.getInstructionCount();
        outcome.counted_functions = counts.fitting;
        outcome.miscounted_functions = counts.misfitting;
        outcome.executed_instructions = executed;
        remarks.tell(whole, outcome.decisions);
        write_file(job_.outcome_path, model::write_outcome(outcome));
        if (job_.mode == job::TransformJob::Mode::trial)
            return only_calls;
        fit_memory_operations(module, analyses);
        if (counts.fitting != 0)
            shrink_what_is_cold(module, manager);
        return only_calls;
    }

    // Whose body is a decision's now.
    static std::map<std::string, uint32_t> functions_of(const model::Plan &plan,
                                                        const std::vector<model::DecisionOutcome> &outcomes) {
        std::map<uint32_t, std::string> names;
        for (const model::Decision &decision : plan.decisions)
            names[decision.id] = decision.site.function;
        std::map<std::string, uint32_t> functions;
        for (const model::DecisionOutcome &outcome : outcomes)
            if (outcome.applied)
                functions[names.at(outcome.decision)] = outcome.decision;
        return functions;
    }

    void make_object(Module &module, FunctionAnalysisManager &analyses, ModuleAnalysisManager &manager) {
        const model::Plan plan = value_or_die(model::read_plan(read_file(job_.plan_path)));
        if (plan.decisions.size() != 1 || plan.decisions.front().kind() != model::DecisionKind::specialize)
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

    job::TransformJob job_;
    std::string float_environment_;
};

// What is only right when nothing of LLVM's comes after it.
class LatePass : public PassInfoMixin<LatePass> {
  public:
    PreservedAnalyses run(Module &module, ModuleAnalysisManager &) {
        inline_joined_tests(module);
        put_stretches_into_thunks(module);
        lower_byte_swaps(module);
        fill_empty_functions(module);
        return PreservedAnalyses::none();
    }

    // NOLINTNEXTLINE(readability-identifier-naming): the name that LLVM's pass manager looks for
    static bool isRequired() { return true; }
};

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
            builder_.buildModuleOptimizationPipeline(level_, ThinOrFullLTOPhase::None).run(module, manager);
            LatePass().run(module, manager);
        } else {
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

    // What tells types apart by addresses is made by link-time optimisation alone.
    static bool tests_types(const Module &module) {
        for (const Intrinsic::ID test :
             {Intrinsic::type_test, Intrinsic::public_type_test, Intrinsic::type_checked_load})
            if (const Function *function = module.getFunction(Intrinsic::getName(test));
                function && !function->use_empty())
                return true;
        return false;
    }

    job::TransformJob job_;
    PassBuilder &builder_;
    OptimizationLevel level_;
    std::shared_ptr<bool> transformed_;
};

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
                passes.addPass(LinkPass(asked, builder, name == "O3" ? OptimizationLevel::O3 : OptimizationLevel::O2,
                                        transformed));
            else if (name == "thalweg")
                passes.addPass(DispatchPass(asked));
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
