// driver: a program optimised once, for `optimize` and for `auto`.
#include "driver/optimizing.h"

#include <algorithm>
#include <filesystem>

#include "base/file.h"
#include "base/say.h"
#include "base/temporary.h"
#include "driver/own_calls.h"
#include "driver/plan_costs.h"
#include "driver/profdata.h"
#include "driver/progress.h"
#include "driver/units.h"
#include "graph/event.h"
#include "job/job.h"
#include "link/called.h"
#include "link/opened_program.h"
#include "link/relink.h"
#include "link/replaced.h"
#include "link/tools.h"
#include "plan/cost_table.h"
#include "plan/libraries.h"
#include "plan/pooled.h"
#include "plan/program.h"
#include "record/profdata_text.h"
#include "settle/kept.h"
#include "settle/settle.h"

namespace thalweg::driver {

namespace {

namespace fs = std::filesystem;

Result<model::Plan> read_plan_file(const std::string &path) {
    const auto text = read_file(path);
    if (!text)
        return text.error();
    auto plan = model::read_plan(*text);
    return plan ? plan : fail(plan.error().code, "{}: {}", path, plan.error().message);
}

Result<model::Plan> plan_from(const model::Profile &recorded, const OptimizeRequest &request) {
    const Result<PlanCosts> costs = plan_costs({});
    if (!costs)
        return costs.error();
    const auto plan_of = [&](const model::Profile &part) {
        const model::Profile profile = plan::pooled(part);
        return plan::plan_program(profile, graph::build(profile, graph::default_eta(profile)), costs->table, {},
                                  request.consent.independent);
    };
    model::Plan plan = plan_of(recorded);
    for (const model::Profile &library : recorded.libraries)
        plan::append_library(library.library, plan_of(library), plan);
    plan.costs = costs->words;
    if (!plan.costs.empty())
        note("optimize: costs: " + plan.costs);
    return plan;
}

// A plan whose numbers were asked for and are not in it would silently do nothing.
Result<std::vector<uint32_t>> numbers_in(const model::Plan &plan, const std::vector<DecisionRange> &asked) {
    uint32_t largest = 0;
    for (const model::Decision &decision : plan.decisions)
        largest = std::max(largest, decision.id);
    std::vector<uint32_t> numbers;
    for (const auto &[first, last] : asked) {
        const size_t before = numbers.size();
        for (const model::Decision &decision : plan.decisions)
            if (decision.id >= first && decision.id <= last)
                numbers.push_back(decision.id);
        if (numbers.size() == before)
            return fail(ErrorCode::usage, "there is no decision {} in the plan; it has {}, with numbers up to {}",
                        first == last ? fmt::format("{}", first) : fmt::format("from {} to {}", first, last),
                        plan.decisions.size(), largest);
    }
    return numbers;
}

// LLVM's name, in front of internal functions', of the module that a whole link is.
constexpr std::string_view merged = "ld-temp.o;";

// Of a single file's internal function.
bool is_counted_by_file(const model::FunctionCounts &one) {
    return one.name.find(';') != std::string::npos && !one.name.starts_with(merged);
}

struct Inputs {
    link::OpenedProgram opened;
    model::Plan plan;
    std::vector<model::FunctionCounts> counts = {};  // of the profile; none: LLVM's passes have to guess
    std::vector<Library> others = {};  // what else the profile was recorded of
    std::vector<uint32_t> only_decisions = {};  // empty: all

    const std::string &origin_id() const {
        const link::LinkedProgram &program = opened.program;
        return program.record.origin ? program.record.origin->build_id : program.build_id;
    }
};

// Of the profile and the plan, what is for this program or shared library.
void take_part(model::Profile &profile, Inputs &inputs) {
    const std::string &library = inputs.opened.program.library;
    inputs.plan = plan::part_for(inputs.plan, library);
    const model::Profile *part = model::part_of(profile, library);
    // A plan alone says what program it is of, and nothing of its libraries.
    if (!library.empty())
        inputs.plan.build_id = part == nullptr ? "" : part->build_id;
    if (part == nullptr && !profile.program.empty())
        note(fmt::format("WARNING: the profile knows nothing of {}: it is of {}", library, profile.program));
    for (const model::Profile &one : profile.libraries)
        if (one.library != library)
            inputs.others.push_back({one.library, one.program});
    if (part != nullptr)
        inputs.counts = part->counts;
}

// What the program is made from stays as it is.
Status check_output(const OptimizeRequest &request, const link::LinkRecord &record) {
    const auto is_output = [&](const std::string &path) {
        std::error_code no_such_file;
        return !path.empty() && fs::equivalent(path, request.output, no_such_file);
    };
    if (is_output(request.program))
        return fail(ErrorCode::usage, "{} is the program itself, which stays as it is; name another file with -o",
                    request.output);
    if (is_output(request.profile_path) || is_output(request.plan_path))
        return fail(ErrorCode::usage, "{} is the profile or the plan that is read; name another file with -o",
                    request.output);
    if (std::ranges::any_of(record.inputs, [&](const link::InputFile &input) {
            return is_output(link::absolute_path(record.directory, input.path));
        }))
        return fail(ErrorCode::usage, "{} is a file that {} was linked from; name another file with -o", request.output,
                    request.program);
    return Done{};
}

Result<Inputs> read_inputs(const OptimizeRequest &request) {
    auto opened = link::open_program(request.program, request.objects);
    if (!opened)
        return opened.error();
    if (const Status status = check_output(request, opened->program.record); !status)
        return status.error();
    Result<model::Profile> profile = model::Profile();
    if (!request.profile_path.empty())
        profile = model::read_profile(request.profile_path);
    if (!profile)
        return profile.error();
    auto plan = request.plan_path.empty() ? plan_from(*profile, request) : read_plan_file(request.plan_path);
    if (!plan)
        return plan.error();
    auto numbers = numbers_in(*plan, request.only_decisions);
    if (!numbers)
        return numbers.error();
    for (const std::string &said : plan::keep_to_consent(*plan, request.consent))
        note("WARNING: " + said);
    Inputs inputs{std::move(*opened), std::move(*plan)};
    inputs.only_decisions = std::move(*numbers);
    take_part(*profile, inputs);
    return inputs;
}

// What the plug-in and the linker said.
struct Told {
    model::Outcome outcome;
    std::string diagnostics;
    // No program was made by a link that settles its plan: something that was made saves too little, or else it failed.
    std::optional<Error> ended = {};
};

// Of what the plan refuses the plug-in says that alone: such decisions' facts, 98 % of the text of lua's plan, are not for it to read.
model::Plan handed_over(model::Plan plan) {
    for (model::Decision &decision : plan.decisions)
        if (auto *layer = std::get_if<model::Specialize>(&decision.work);
            layer != nullptr && decision.verdict == model::Verdict::refuse)
            layer->facts.clear();
    return plan;
}

// Links again with the plug-in, which gets the plan and `job`.
Result<Told> transform(const Inputs &inputs, job::TransformJob job, link::RelinkRequest again,
                       const TemporaryFolder &scratch) {
    job.plan_path = scratch.file("plan.toml");
    job.outcome_path = scratch.file("outcome.json");
    if (const Status status = write_file(job.plan_path, model::write_plan(handed_over(inputs.plan))); !status)
        return status.error();
    if (!inputs.counts.empty()) {
        job.counts_path = scratch.file("counts.proftext");
        if (const Status status = write_file(job.counts_path, record::write_profdata_text(inputs.counts)); !status)
            return status.error();
        // The linker sorts functions by who calls whom how often, if nobody else has.
        again.functions.clear();
        again.has_counts = true;
    }
    again.plugin = link::plugin_path();
    again.remembered = inputs.opened.remembered;
    again.job_path = scratch.file("job.json");
    if (const Status status = write_file(again.job_path, job::write_job(job)); !status)
        return status.error();
    const auto relinked = [&] {
        const Progress progress(fmt::format("linking {}", again.output));
        return link::relink(inputs.opened.program.record, again);
    }();
    auto text = read_file(job.outcome_path);
    if (relinked && !text)
        return fail(ErrorCode::bug, "the link ran, but the plug-in told nothing of it: {}", text.error().message);
    auto outcome = text ? model::read_outcome(*text) : Result<model::Outcome>(text.error());
    if (!relinked && !(outcome && job.settles))
        return relinked.error();
    if (!outcome)
        return outcome.error();
    if (!relinked)
        return Told{std::move(*outcome), "", relinked.error()};
    return Told{std::move(*outcome), relinked->diagnostics};
}

Status refuse_own_calls(Inputs &inputs) {
    const link::LinkedProgram &program = inputs.opened.program;
    const auto obstacle = obstacle_to_own_calls(program);
    if (!obstacle)
        return obstacle.error();
    const auto elsewhere = link::functions_called_without_bitcode(inputs.opened.path, program.record);
    if (!elsewhere)
        return elsewhere.error();
    for (model::Decision &decision : inputs.plan.decisions) {
        if (decision.verdict != model::Verdict::apply || !model::is_of_calls(decision.kind()))
            continue;
        const std::string why_not = model::is_of_system_calls(decision.kind()) ? *obstacle
                                    : model::is_of_library_function(decision.kind())
                                        ? obstacle_to_reuse(program, decision.site.callee)
                                        : obstacle_in_place(program, *elsewhere, decision.site.callee);
        if (!why_not.empty())
            refuse(decision, model::RefusalKind::does_not_fit, why_not);
    }
    return Done{};
}

// What a plug-in with the program's own passes is given.
struct Work {
    job::TransformJob job;
    link::RelinkRequest again;
};

Result<Work> work_for(const Inputs &inputs, const OptimizeRequest &request) {
    const auto elsewhere = link::functions_called_without_bitcode(inputs.opened.path, inputs.opened.program.record);
    if (!elsewhere)
        return elsewhere.error();
    Work work;
    work.job.mode = job::TransformJob::Mode::optimize;
    work.job.only_decisions = inputs.only_decisions;
    work.job.remarks = request.remarks;
    work.job.called_elsewhere.assign(elsewhere->begin(), elsewhere->end());
    work.job.is_library = !inputs.opened.program.library.empty();
    work.again.output = request.output;
    work.again.like = inputs.opened.path;
    work.again.remarks = request.remarks;
    work.again.libraries = {link::crossing_path()};
    work.again.own_passes = true;
    for (const link::ElfFunction &function : inputs.opened.program.functions) {
        work.job.places.push_back({function.name, static_cast<uint32_t>(function.address % job::bytes_of_line)});
        work.again.functions.push_back(function.name);
    }
    return work;
}

// What the plan's decisions would come to; no program is made.
Result<Told> tried(const Inputs &inputs) {
    auto work = work_for(inputs, {});
    if (!work)
        return work.error();
    const auto scratch = TemporaryFolder::make("plan");
    if (!scratch)
        return scratch.error();
    work->job.mode = job::TransformJob::Mode::trial;
    work->job.instruction_ns = plan::CostTable().executed_instruction_ns;
    work->again.product = link::RelinkRequest::Product::module;
    work->again.output = scratch->file("module.bc");
    return transform(inputs, std::move(work->job), std::move(work->again), *scratch);
}

// What could not be made of a plan is not tried again: with others out of its way it might come out otherwise than `plan` says. It was asked for
// all the same, and is told as not applied, in the words of the first time.
class NotMade {
  public:
    // Takes them out of the plan.
    void take(model::Plan &plan, model::Plan settled) {
        for (size_t i = 0; i < settled.decisions.size(); ++i)
            if (plan.decisions[i].verdict == model::Verdict::apply &&
                settled.decisions[i].refusal == word(model::RefusalKind::does_not_fit))
                asked_.push_back(std::move(plan.decisions[i]));
        plan = std::move(settled);
    }

    void put_back(model::Plan &plan, model::Outcome &outcome) {
        for (model::Decision &asked : asked_) {
            model::Decision &planned = *std::ranges::find(plan.decisions, asked.id, &model::Decision::id);
            *std::ranges::find(outcome.decisions, asked.id, &model::DecisionOutcome::decision) = {asked.id, false,
                                                                                                  planned.reason};
            planned = std::move(asked);
        }
    }

  private:
    std::vector<model::Decision> asked_;
};

Status keep_outcome(const OptimizeRequest &request, const model::Outcome &outcome) {
    return request.outcome_path.empty() ? Done{} : write_file(request.outcome_path, model::write_outcome(outcome));
}

// Of a program counted as one module internal functions have the name of the merged module.
Status check_counted_by_units(const std::vector<model::FunctionCounts> &counts) {
    if (std::ranges::any_of(counts, [](const auto &one) { return one.name.starts_with(merged); }))
        return fail(ErrorCode::does_not_fit,
                    "the profile counts the program as a whole, and not by its files: record it with --thinlto, or "
                    "optimize without");
    return Done{};
}

// A decision rests on who else writes to what it reads, or calls what it changes: a unit does not know.
void refuse_all(model::Plan &plan) {
    for (model::Decision &decision : plan.decisions)
        if (decision.verdict == model::Verdict::apply)
            refuse(decision, model::RefusalKind::does_not_fit,
                   "a link by ThinLTO (--thinlto) makes no decision: none sees the program as a whole");
}

Result<Told> transform_units(const Inputs &inputs, Work work, const TemporaryFolder &scratch) {
    link::RelinkRequest &again = work.again;
    if (const Status fits = check_counted_by_units(inputs.counts); !fits)
        return fits.error();
    job::TransformJob job{.mode = job::TransformJob::Mode::optimize_unit,
                          .called_elsewhere = std::move(work.job.called_elsewhere)};
    if (!inputs.counts.empty()) {
        auto indexed = indexed_profile(inputs.counts);
        if (!indexed)
            return indexed.error();
        job.counts_path = scratch.file("counts.profdata");
        if (const Status status = write_file(job.counts_path, *indexed); !status)
            return status.error();
        again.has_counts = true;
    }
    auto made = make_units(inputs.opened.program, job, scratch);
    if (!made)
        return made.error();
    again.is_optimised = made->computes_as_built;
    again.thin = std::move(made->words);
    again.own_passes = false;
    again.functions.clear();
    again.remembered = inputs.opened.remembered;
    const auto relinked = [&] {
        const Progress progress(fmt::format("linking {}", again.output));
        return link::relink(inputs.opened.program.record, again);
    }();
    if (!relinked)
        return relinked.error();
    return Told{std::move(made->outcome), relinked->diagnostics};
}

// Whether the link itself decides what is left of the plan.
bool is_to_be_settled(const Inputs &inputs, const OptimizeRequest &request) {
    return request.plan_path.empty() && !request.by_units && !inputs.counts.empty() &&
           std::ranges::any_of(inputs.plan.decisions, [](const model::Decision &decision) {
               return decision.verdict == model::Verdict::apply && !model::is_of_calls(decision.kind());
           });
}

Result<Told> linked(const Inputs &inputs, const OptimizeRequest &request, bool settles) {
    auto work = work_for(inputs, request);
    if (!work)
        return work.error();
    work->job.settles = settles;
    work->job.instruction_ns = settles ? plan::CostTable().executed_instruction_ns : 0;
    work->again.origin = link::Origin{
        fs::path(inputs.opened.path).filename().string(), inputs.origin_id(),
        settles ? "" : model::write_plan(settle::kept_plan(inputs.plan, inputs.only_decisions)), inputs.only_decisions};
    const auto scratch = TemporaryFolder::make("optimize");
    if (!scratch)
        return scratch.error();
    return request.by_units ? transform_units(inputs, std::move(*work), *scratch)
                            : transform(inputs, std::move(work->job), std::move(work->again), *scratch);
}

// A plan that nobody has seen is what `plan` would have written. It is tried by the link that makes the program; only where something that was made
// saves too little another link makes the program without it.
Result<Told> linked_and_settled(Inputs &inputs, const OptimizeRequest &request) {
    auto told = linked(inputs, request, true);
    if (!told)
        return told.error();
    model::Plan settled = inputs.plan;
    settle::settle(settled, told->outcome, plan::CostTable().executed_instruction_ns);
    if (told->ended && !settle::made_in_vain(settled, told->outcome))
        return *told->ended;
    NotMade not_made;
    not_made.take(inputs.plan, std::move(settled));
    if (told->ended)
        told = linked(inputs, request, false);
    if (told)
        not_made.put_back(inputs.plan, told->outcome);
    return told;
}

}  // namespace

size_t Optimized::applied() const {
    return static_cast<size_t>(std::count_if(outcome.decisions.begin(), outcome.decisions.end(),
                                             [](const model::DecisionOutcome &entry) { return entry.applied; }));
}

bool Optimized::asks_for(const model::Decision &decision) const {
    const bool chosen = only_decisions.empty() || std::ranges::count(only_decisions, decision.id) != 0;
    return decision.verdict == model::Verdict::apply && chosen;
}

size_t Optimized::asked() const {
    return static_cast<size_t>(
        std::ranges::count_if(plan.decisions, [this](const model::Decision &decision) { return asks_for(decision); }));
}

Result<Optimized> optimize_program(const OptimizeRequest &request) {
    auto inputs = read_inputs(request);
    if (!inputs)
        return inputs.error();
    if (const Status status = refuse_own_calls(*inputs); !status)
        return status.error();
    if (request.by_units)
        refuse_all(inputs->plan);
    else if (std::ranges::any_of(inputs->counts, is_counted_by_file))
        note("WARNING: the profile counts the program by its files, as `record --thinlto` does, or clang: only "
             "functions that are the same in the whole program have their counts; optimize with --thinlto");
    auto told =
        is_to_be_settled(*inputs, request) ? linked_and_settled(*inputs, request) : linked(*inputs, request, false);
    if (!told)
        return told.error();
    if (const Status status = keep_outcome(request, told->outcome); !status)
        return status.error();
    const std::string &planned_for = inputs->plan.build_id;
    const bool other_build = !planned_for.empty() && !inputs->origin_id().empty() && planned_for != inputs->origin_id();
    const bool wants_remarks = request.remarks || link::asks_for_remarks(inputs->opened.program.record);
    return Optimized{std::move(inputs->plan),
                     std::move(told->outcome),
                     other_build,
                     inputs->opened.folder.has_value(),
                     wants_remarks ? told->diagnostics : "",
                     std::move(inputs->others),
                     std::move(inputs->only_decisions),
                     request.by_units};
}

Status try_plan(link::OpenedProgram program, model::Plan &plan, const std::vector<model::FunctionCounts> &counts) {
    Inputs inputs{std::move(program), std::move(plan), counts};
    const Status refused = refuse_own_calls(inputs);
    const auto told = refused ? tried(inputs) : Result<Told>(refused.error());
    if (told)
        settle::settle(inputs.plan, told->outcome, plan::CostTable().executed_instruction_ns);
    plan = std::move(inputs.plan);
    return told ? Status(Done{}) : Status(told.error());
}

Result<Optimized> make_object(const OptimizeRequest &request, const std::string &symbol) {
    auto inputs = read_inputs(request);
    if (!inputs)
        return inputs.error();
    const auto scratch = TemporaryFolder::make("optimize");
    if (!scratch)
        return scratch.error();
    job::TransformJob job;
    job.mode = job::TransformJob::Mode::object;
    job.object_symbol = symbol;
    job.is_library = !inputs->opened.program.library.empty();
    link::RelinkRequest again;
    again.output = scratch->file("object.bc");
    again.product = link::RelinkRequest::Product::exported_module;
    auto told = transform(*inputs, std::move(job), std::move(again), *scratch);
    if (!told)
        return told.error();
    if (const Status status = keep_outcome(request, told->outcome); !status)
        return status.error();
    if (told->outcome.object) {
        const std::string made = scratch->file("object.o");
        const Status compiled = link::compile_bitcode(inputs->opened.program.record, scratch->file("object.bc"), made);
        if (!compiled)
            return compiled.error();
        const auto bytes = read_file(made);
        if (!bytes)
            return bytes.error();
        if (const Status status = write_file(request.output, *bytes, Readers::others); !status)
            return status.error();
    }
    return Optimized{std::move(inputs->plan), std::move(told->outcome), false, false, "", {}};
}

}  // namespace thalweg::driver
