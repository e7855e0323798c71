// driver: what does not pay in the user's own run is taken out of the program again (DESIGN, law 9).
#include "driver/paying.h"

#include <algorithm>
#include <filesystem>
#include <iterator>

#include "base/file.h"
#include "base/interruption.h"
#include "base/say.h"
#include "base/temporary.h"
#include "settle/settle.h"

namespace thalweg::driver {

namespace {

using model::Decision;
using model::Verdict;

// Decisions that are measured together: one kind of crossing (DESIGN, section 1). A line's parts can't be told from it.
using Part = std::string_view;

bool is_applied(const Decision &decision, Part part) {
    return decision.verdict == Verdict::apply && row_of(decision.kind()).measured_with == part;
}

size_t count_of(const model::Plan &plan, Part part) {
    return static_cast<size_t>(
        std::ranges::count_if(plan.decisions, [&](const Decision &decision) { return is_applied(decision, part); }));
}

double gain_of(const model::Plan &plan, Part part) {
    double gain_ms = 0;
    for (const Decision &decision : plan.decisions)
        if (is_applied(decision, part))
            gain_ms += decision.predicted_gain_total_ms;
    return gain_ms;
}

// Those that have a decision, the smallest gain first: what is left has been measured beside what matters.
std::vector<Part> parts_of(const model::Plan &plan) {
    std::vector<Part> found;
    for (const model::KindRow &row : model::decision_kinds)
        if (std::ranges::find(found, row.measured_with) == found.end() && count_of(plan, row.measured_with) != 0)
            found.push_back(row.measured_with);
    std::ranges::sort(found, {}, [&](Part part) { return std::pair(gain_of(plan, part), part); });
    return found;
}

model::Plan without(model::Plan plan, Part part, const std::string &why) {
    for (Decision &decision : plan.decisions)
        if (is_applied(decision, part))
            refuse(decision, model::RefusalKind::does_not_pay, why);
    return plan;
}

const model::Estimate &ratio_of(const model::Comparison &comparison) {
    const model::Measurement &measurement = comparison.measurement;
    return comparison.metric == model::metric_cpu ? measurement.cpu_ratio : measurement.wall_ratio;
}

std::string why_taken_out(const report::MeasuredPart &part) {
    return fmt::format(
        "measured and taken out: with its {} decision{} of {} the program took {:.3f} ({:.3f} to {:.3f}) "
        "of the {} that it takes without.",
        part.decisions, part.decisions == 1 ? "" : "s", part.what, part.ratio.median, part.ratio.low, part.ratio.high,
        model::time_words(part.metric));
}

// What was linked with one plan: a program, and its shared libraries.
struct Linked {
    Optimized optimized;  // decisions and instructions of all of them
    LibraryFiles libraries;
};

void add(Optimized more, Optimized &all) {
    const auto append = [](auto &to, auto &from) {
        to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
    };
    append(all.plan.decisions, more.plan.decisions);
    append(all.outcome.decisions, more.outcome.decisions);
    std::ranges::sort(all.plan.decisions, {}, &Decision::id);
    std::ranges::sort(all.outcome.decisions, {}, &model::DecisionOutcome::decision);
    all.outcome.instructions_before += more.outcome.instructions_before;
    all.outcome.instructions_after += more.outcome.instructions_after;
    all.outcome.counted_functions += more.outcome.counted_functions;
    all.outcome.miscounted_functions += more.outcome.miscounted_functions;
    all.outcome.executed_instructions += more.outcome.executed_instructions;
}

class Payment {
  public:
    Payment(const PayingRequest &request, std::string directory)
        : request_(request), directory_(std::move(directory)) {}

    Result<Paying> run() {
        if (const Status linked = link_kept(""); !linked)
            return linked.error();
        paying_.fits = paying_.optimized.asked() == 0 || paying_.optimized.applied() != 0 ||
                       paying_.optimized.outcome.counted_functions != 0;
        settle::refuse_what_does_not_fit(paying_.optimized.plan, paying_.optimized.outcome);
        if (const Status written = write_plan(); !written || !paying_.fits)
            return written ? Result<Paying>(paying_) : written.error();
        if (!request_.keeps_all)
            for (const Part part : parts_of(paying_.optimized.plan))
                if (const Status measured = measure(part); !measured)
                    return measured.error();
        note("comparing the original with what is left");
        ComparisonOptions comparison = request_.comparison;
        comparison.pair.candidate = request_.optimize.output;
        auto compared = compare(std::move(comparison), {});
        if (!compared)
            return compared.error();
        if (interrupted())
            return interruption("the original and what is left were compared");
        paying_.comparison = std::move(*compared);
        return paying_;
    }

  private:
    Status write_plan() const {
        return write_file(request_.optimize.plan_path, model::write_plan(paying_.optimized.plan));
    }

    // The program and its libraries with a plan's decisions alone (empty: that of the profile), as `output` and in `libraries`.
    Result<Linked> link_all(OptimizeRequest request, const std::string &libraries) const {
        auto program = optimize_program(request);
        if (!program)
            return program.error();
        Linked linked{std::move(*program), {}};
        const std::vector<Library> others = linked.optimized.others;
        std::error_code problem;
        if (!others.empty() && (std::filesystem::create_directories(libraries, problem), problem))
            return fail(ErrorCode::environment, "cannot make the folder {}: {}", libraries, problem.message());
        request.objects = request.outcome_path = "";
        for (const Library &library : others) {
            request.program = library.path;
            request.output = fmt::format("{}/{}", libraries, library.name);
            auto optimized = optimize_program(request);
            if (!optimized)
                return optimized.error();
            add(std::move(*optimized), linked.optimized);
            linked.libraries.emplace_back(library.path, request.output);
        }
        return linked;
    }

    // What is kept, at the places that the user has named.
    Status link_kept(const std::string &plan_path) {
        OptimizeRequest request = request_.optimize;
        request.plan_path = plan_path;
        auto linked = link_all(request, libraries_folder(request.output));
        if (!linked)
            return linked.error();
        paying_.optimized = std::move(linked->optimized);
        paying_.libraries = std::move(linked->libraries);
        if (paying_.libraries.empty())
            return Done{};
        return write_file(request.outcome_path, model::write_outcome(paying_.optimized.outcome));
    }

    Result<model::Comparison> compare(ComparisonOptions comparison, LibraryFiles originals) const {
        comparison.original_libraries = std::move(originals);
        comparison.candidate_libraries = paying_.libraries;
        return compare_programs(std::move(comparison));
    }

    Status write_scratch_plan(const model::Plan &plan) const {
        return write_file(scratch_plan(), model::write_plan(plan));
    }
    std::string scratch_plan() const { return directory_ + "/plan"; }

    Status measure(Part part) {
        const model::Plan &kept = paying_.optimized.plan;
        report::MeasuredPart measured{std::string(part), count_of(kept, part), true, {}, {}};
        note(fmt::format("measuring {} alone ({} decision{})", measured.what, measured.decisions,
                         measured.decisions == 1 ? "" : "s"));
        OptimizeRequest request = request_.optimize;
        request.plan_path = scratch_plan();
        request.output = directory_ + "/without";
        request.outcome_path = "";
        request.remarks = false;
        if (const Status written = write_scratch_plan(without(kept, part, "")); !written)
            return written;
        const auto linked = link_all(request, libraries_folder(request.output));
        if (!linked)
            return linked.error();
        ComparisonOptions comparison = request_.comparison;
        comparison.pair.name = request_.comparison.pair.original;
        comparison.instructions = false;  // the time judges; they are counted of what is left
        comparison.pair.original = request.output;
        comparison.pair.candidate = request_.optimize.output;
        const auto compared = compare(std::move(comparison), linked->libraries);
        if (!compared)
            return compared.error();
        if (interrupted())
            return interruption(fmt::format("{} were measured", measured.what));
        measured.ratio = ratio_of(*compared);
        measured.metric = compared->metric;
        // What differs is for the comparison with the original to tell.
        measured.kept = compared->agreement == model::Agreement::differ || compared->speed == model::Speed::faster;
        paying_.parts.push_back(measured);
        return measured.kept ? Done{} : take_out(part, measured);
    }

    Status take_out(Part part, const report::MeasuredPart &measured) {
        if (const Status written = write_scratch_plan(without(paying_.optimized.plan, part, why_taken_out(measured)));
            !written)
            return written;
        if (const Status linked = link_kept(scratch_plan()); !linked)
            return linked;
        note(fmt::format("{} did not pay and were taken out", measured.what));
        return write_plan();
    }

    const PayingRequest &request_;
    std::string directory_;
    Paying paying_;
};

}  // namespace

std::string libraries_folder(const std::string &output) { return output + ".libs"; }

Result<Paying> keep_what_pays(const PayingRequest &request) {
    const auto scratch = TemporaryFolder::make("auto");
    if (!scratch)
        return scratch.error();
    return Payment(request, scratch->path()).run();
}

}  // namespace thalweg::driver
