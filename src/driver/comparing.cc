// driver: two programs compared once.
#include "driver/comparing.h"

#include <algorithm>
#include <filesystem>
#include <optional>

#include "base/interruption.h"
#include "base/say.h"
#include "base/temporary.h"
#include "driver/progress.h"
#include "plan/workload.h"
#include "verify/judge.h"

namespace thalweg::driver {

namespace {

// Half of what this machine does to two runs of one program at its quietest (README: 0.982 to 1.019).
constexpr double difference_worth_a_word = 0.01;

verify::Shown shown_by(const measure::ObservedRun &run, const ComparisonOptions &options) {
    verify::Shown shown;
    shown.original = run.side != measure::Side::candidate;
    shown.round = run.round;
    shown.ending = run.ending;
    if (!options.without_stdout)
        shown.outputs.emplace_back("stdout", run.stdout_path);
    if (options.with_stderr)
        shown.outputs.emplace_back("stderr", run.stderr_path);
    for (const std::string &file : options.pair.files)
        shown.outputs.emplace_back(file, file);
    return shown;
}

// What stands beside the shell's prompt is meant, not what PATH finds.
std::string as_path(const std::string &program) {
    std::error_code ignored;
    const bool here = program.find('/') == std::string::npos && std::filesystem::exists(program, ignored);
    return here ? "./" + program : program;
}

bool waits(const std::vector<model::RunTimes> &runs) {
    // The run that was disturbed least tells what kind of program it is; who is kept from running by others does not wait.
    const auto own_s = [](const model::RunTimes &run) { return run.wall_s - run.queued_s; };
    const auto least = std::ranges::min_element(runs, {}, own_s);
    constexpr double us = 1e6;
    return least != runs.end() && plan::waits(own_s(*least) * us, (least->user_s + least->system_s) * us);
}

// The processor's time says most, unless one of the two waits: whoever waits more is slower, whatever he computes.
std::string metric_of(const model::Measurement &measurement) {
    const bool any_waits = waits(measurement.original_runs) || waits(measurement.candidate_runs);
    return any_waits ? model::metric_wall : model::metric_cpu;
}

// Whether more rounds can't tell more: one is faster, or they are as good as equal.
bool is_decided(const model::Measurement &measurement, const std::string &metric) {
    const bool by_cpu = metric == model::metric_cpu;
    const model::Estimate &ratio = by_cpu ? measurement.cpu_ratio : measurement.wall_ratio;
    const bool is_equal = ratio.low > 1 - difference_worth_a_word && ratio.high < 1 + difference_worth_a_word;
    return is_equal || verify::judge_speed(ratio, by_cpu ? measurement.cpu_noise : measurement.wall_noise) !=
                           model::Speed::within_noise;
}

// What valgrind can't run is told, and costs no more than its count.
Status count_both(const measure::PairOptions &pair, model::Measurement &measured) {
    const Progress progress("counting instructions");
    const Status counted = measure::count_instructions(pair, measured);
    if (counted || counted.error().code == ErrorCode::interrupted)
        return counted;
    note("instructions are not counted: " + counted.error().message);
    return Done{};
}

// For as long as the result lives. Either both sides are asked of their libraries, which costs each start a millisecond, or neither is.
Result<std::vector<ReplacedLibraries>> replace_libraries(ComparisonOptions &options) {
    std::vector<ReplacedLibraries> replaced;
    if (options.original_libraries.empty() && options.candidate_libraries.empty())
        return replaced;
    measure::PairOptions &pair = options.pair;
    for (const auto &[files, environment] : {std::pair(&options.original_libraries, &pair.original_environment),
                                             std::pair(&options.candidate_libraries, &pair.candidate_environment)}) {
        auto side = ReplacedLibraries::make(*files);
        if (!side)
            return side.error();
        *environment = side->environment();
        replaced.push_back(std::move(*side));
    }
    return replaced;
}

}  // namespace

Status read_input(ComparisonOptions &options, KeptInput &input) {
    if (input.is_stream()) {
        const auto scratch = TemporaryFolder::make("compare");
        const auto reader = scratch ? input.start() : Result<int>(scratch.error());
        if (!reader)
            return reader.error();
        measure::PairOptions once = options.pair;
        once.original = as_path(once.original);
        once.directory = scratch->path();
        once.stdin_path = fmt::format("/proc/self/fd/{}", *reader);
        const Status ran = measure::run_original(once);
        if (const Status kept = input.stop(); !ran || !kept)
            return ran ? kept : ran;
    }
    options.pair.stdin_path = input.path();
    return Done{};
}

Result<model::Comparison> compare_programs(ComparisonOptions options) {
    const auto scratch = TemporaryFolder::make("compare");
    if (!scratch)
        return scratch.error();
    options.pair.directory = scratch->path();
    options.pair.original = as_path(options.pair.original);
    options.pair.candidate = as_path(options.pair.candidate);
    const auto libraries = replace_libraries(options);
    if (!libraries)
        return libraries.error();
    verify::Judge judge(options.pair.original, options.pair.candidate, scratch->path());
    const auto metric = [&](const model::Measurement &measured) {
        return options.metric.empty() ? metric_of(measured) : options.metric;
    };
    Status seen = Done{};
    std::optional<Progress> progress(std::in_place, "comparing");
    auto measured = measure::measure_pairs(
        options.pair,
        [&](const measure::ObservedRun &run) {
            progress->at(fmt::format("round {}", run.round));
            seen = judge.see(shown_by(run, options));
            return seen && judge.agreement() != model::Agreement::differ;
        },
        [&](const model::Measurement &so_far) {
            return judge.agreement() != model::Agreement::equal || is_decided(so_far, metric(so_far));
        });
    progress.reset();
    if (!seen)
        return seen.error();
    if (!measured)
        return measured.error();
    if (const Status counted = options.instructions ? count_both(options.pair, *measured) : Done{}; !counted)
        return counted.error();
    if (interrupted() && measured->original_runs.empty())
        return interruption("the first round ran");
    return judge.verdict(*measured, metric(*measured));
}

}  // namespace thalweg::driver
