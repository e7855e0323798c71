// driver: the units of a program made ready, each by itself, for a link by ThinLTO.
#include "driver/units.h"

#include <algorithm>
#include <atomic>
#include <thread>

#include <unistd.h>

#include "base/file.h"
#include "base/process.h"
#include "driver/progress.h"
#include "link/object_info.h"
#include "link/relink.h"
#include "link/tools.h"
#include "link/units.h"

namespace thalweg::driver {

namespace {

// Its bitcode is that of the link afterwards.
Result<model::Outcome> make_unit(link::Unit &unit, job::TransformJob job, const std::string &level) {
    const std::string job_path = unit.bitcode + ".job.json";
    job.outcome_path = unit.bitcode + ".outcome.json";
    if (const Status status = write_file(job_path, job::write_job(job)); !status)
        return status.error();
    const std::string made = unit.bitcode + ".thin.bc";
    const auto end = run_process({link::pass_runner, "-load-pass-plugin=" + link::plugin_path(),
                                  "-passes=thalweg-unit" + level, "-thinlto-bc", unit.bitcode, "-o", made},
                                 {"", {{"THALWEG_TRANSFORM_JOB", job_path}}, true});
    if (!end)
        return end.error();
    if (end->exit_code != 0)
        return fail(ErrorCode::environment, "{} ended with code {} on {}:\n{}", link::pass_runner, end->exit_code,
                    unit.name, end->output);
    unit.bitcode = made;
    const auto text = read_file(job.outcome_path);
    if (!text)
        return fail(ErrorCode::bug, "{} ran on {}, but the plug-in told nothing of it: {}", link::pass_runner,
                    unit.name, text.error().message);
    return model::read_outcome(*text);
}

void add(const model::Outcome &unit, model::Outcome &sum) {
    sum.instructions_before += unit.instructions_before;
    sum.instructions_after += unit.instructions_after;
    sum.counted_functions += unit.counted_functions;
    sum.miscounted_functions += unit.miscounted_functions;
    if (sum.float_environment.empty())
        sum.float_environment = unit.float_environment;
}

// The first of the units' errors, or the sum of their outcomes.
Result<model::Outcome> make_all(std::vector<link::Unit> &units, const job::TransformJob &job,
                                const std::string &level) {
    std::vector<Result<model::Outcome>> outcomes(units.size(), model::Outcome());
    std::atomic<size_t> next = 0;
    std::atomic<bool> has_failed = false;
    const auto work = [&] {
        for (size_t i = next++; i < units.size() && !has_failed; i = next++) {
            outcomes[i] = make_unit(units[i], job, level);
            has_failed = has_failed || !outcomes[i];
        }
    };
    const size_t processors = std::max(1u, std::thread::hardware_concurrency());
    {
        std::vector<std::jthread> workers;
        for (size_t i = 0; i < std::min(processors, units.size()); ++i)
            workers.emplace_back(work);
    }
    model::Outcome sum;
    for (const Result<model::Outcome> &outcome : outcomes) {
        if (!outcome)
            return outcome.error();
        add(*outcome, sum);
    }
    return sum;
}

}  // namespace

Result<UnitsMade> make_units(const link::LinkedProgram &program, job::TransformJob job,
                             const TemporaryFolder &scratch) {
    if (!program.library.empty())
        return fail(ErrorCode::usage, "{} is a shared library, which is linked as a whole: leave out --thinlto",
                    program.library);
    if (::access(link::pass_runner, X_OK) != 0)
        return fail(ErrorCode::environment, "{} is not there: install the package llvm-19", link::pass_runner);
    if (const Status status = link::check_inputs(program.record); !status)
        return status.error();
    auto units = link::take_apart(program.record, scratch.path());
    if (!units)
        return units.error();
    if (units->empty())
        return fail(ErrorCode::does_not_fit,
                    "none of the {} files that {} was linked from has bitcode; `thalweg doctor` tells more",
                    program.record.inputs.size(), program.record.output);
    std::vector<link::Unit> taken = *units;
    // C's driver links C++ where it is told of its library.
    job.links_cxx = program.record.driver == link::cxx_compiler ||
                    std::ranges::any_of(program.record.arguments, [](const std::string &word) {
                        return word.find("stdc++") != std::string::npos || word == "-lc++";
                    });
    const std::string level = link::level_of_link(program.record);
    const Progress progress(fmt::format("making {} units ready", units->size()));
    auto outcome = make_all(*units, job, level);
    // Only when all have been looked at is it known that passes across files would compute what one of them may change.
    const bool computes_as_built = outcome && !outcome->float_environment.empty();
    if (computes_as_built) {
        *units = std::move(taken);
        job.computes_as_built = true;
        outcome = make_all(*units, job, level);
    }
    if (!outcome)
        return outcome.error();
    auto words = link::words_with_units(program.record, *units, scratch.path());
    if (!words)
        return words.error();
    return UnitsMade{std::move(*words), std::move(*outcome), computes_as_built};
}

}  // namespace thalweg::driver
