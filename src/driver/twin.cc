// driver: the instrumented twin of a program.
#include "driver/twin.h"

#include <filesystem>

#include <unistd.h>

#include "base/file.h"
#include "base/hash.h"
#include "base/say.h"
#include "base/temporary.h"
#include "base/trust.h"
#include "driver/progress.h"
#include "driver/twin_files.h"
#include "driver/units.h"
#include "job/job.h"
#include "link/called.h"
#include "link/relink.h"
#include "link/tools.h"
#include "model/plan.h"

namespace thalweg::driver {

namespace {

namespace fs = std::filesystem;

// The program, and the parts of Thalweg that shape its twin.
Result<std::string> twin_id(const std::string &program_bytes, bool by_units) {
    uint64_t hash = hash_bytes(by_units ? "by units" : "", hash_bytes(program_bytes));
    for (const std::string &path : {link::plugin_path(), link::recorder_path(), std::string("/proc/self/exe")}) {
        const auto bytes = read_file(path);
        if (!bytes)
            return fail(ErrorCode::environment, "nothing can be recorded: {}; build or install Thalweg whole",
                        bytes.error().message);
        hash = hash_bytes(*bytes, hash);
    }
    return to_hex(hash);
}

// An optimised program is made once more, with counters in its guards; any other one gets probes.
Status write_job_files(const Twin &twin, const TwinFiles &files) {
    job::TransformJob job;
    job.site_table_path = files.table;
    const auto elsewhere = link::functions_called_without_bitcode(twin.original.path, twin.original.program.record);
    if (!elsewhere)
        return elsewhere.error();
    job.called_elsewhere.assign(elsewhere->begin(), elsewhere->end());
    job.is_library = !twin.original.program.library.empty();
    job.recording_part = twin.part;
    if (twin.original.program.record.origin) {
        job.mode = job::TransformJob::Mode::optimize;
        job.plan_path = files.plan;
        job.only_decisions = twin.original.program.record.origin->only_decisions;
        job.count_guards = true;
        job.outcome_path = files.outcome;
        if (const Status status = write_file(files.plan, twin.original.program.record.origin->plan); !status)
            return status;
    }
    return write_file(files.job, job::write_job(job));
}

// The whole program in one module, which our plug-in gives its probes.
Status whole_request(const Twin &twin, const TwinFiles &files, link::RelinkRequest &request) {
    if (const Status status = write_job_files(twin, files); !status)
        return status;
    request.plugin = link::plugin_path();
    request.job_path = files.job;
    request.extra_inputs = {link::recorder_path()};
    request.own_passes = true;
    request.has_no_variables = true;
    // The recorder has told the C library of itself.
    request.stays_loaded = !twin.part.empty();
    return Done{};
}

Status units_request(const Twin &twin, const TemporaryFolder &scratch, link::RelinkRequest &request) {
    if (::access(link::profile_runtime, R_OK) != 0)
        return fail(ErrorCode::environment, "{} is not there: install the package libclang-rt-19-dev",
                    link::profile_runtime);
    const auto elsewhere = link::functions_called_without_bitcode(twin.original.path, twin.original.program.record);
    if (!elsewhere)
        return elsewhere.error();
    job::TransformJob job{.mode = job::TransformJob::Mode::count_unit};
    job.called_elsewhere.assign(elsewhere->begin(), elsewhere->end());
    const auto made = make_units(twin.original.program, std::move(job), scratch);
    if (!made)
        return made.error();
    request.is_optimised = made->computes_as_built;
    request.thin = made->words;
    request.llvm_counters = true;
    return Done{};
}

Status link_twin(const Twin &twin, const TwinFiles &files) {
    const std::string unfinished = fmt::format("{}.{}", files.twin, ::getpid());
    link::RelinkRequest request;
    request.output = unfinished;
    request.like = twin.original.path;
    request.remembered = twin.original.remembered;
    request.libraries = {link::crossing_path()};
    const auto scratch = TemporaryFolder::make("units");
    if (!scratch)
        return scratch.error();
    if (const Status status =
            twin.by_units ? units_request(twin, *scratch, request) : whole_request(twin, files, request);
        !status)
        return status;
    const auto relinked = [&] {
        const Progress progress(fmt::format("linking an instrumented twin of {}", twin.original.path));
        return link::relink(twin.original.program.record, request);
    }();
    std::error_code problem;
    if (!relinked) {
        fs::remove(unfinished, problem);
        return relinked.error();
    }
    // What others may write to is not run (is_usable), and under an umask of 0 the linker makes it so.
    fs::permissions(unfinished, fs::perms::group_write | fs::perms::others_write, fs::perm_options::remove, problem);
    fs::rename(unfinished, files.twin, problem);
    if (problem)
        return fail(ErrorCode::environment, "cannot rename {}: {}", unfinished, problem.message());
    return Done{};
}

Result<std::vector<record::GuardName>> guard_names(const link::Origin &origin) {
    const auto plan = model::read_plan(origin.plan);
    if (!plan)
        return plan.error();
    std::vector<record::GuardName> names;
    for (const model::Decision &decision : plan->decisions) {
        if (decision.id >= names.size())
            names.resize(decision.id + 1);
        const bool is_layer = decision.kind() == model::DecisionKind::specialize;
        names[decision.id] = {decision.id, is_layer ? decision.site.function : decision.event};
    }
    return names;
}

Status read_table(Twin &twin, const TwinFiles &files) {
    const auto text = read_file(files.table);
    if (twin.by_units || (!text && twin.original.program.record.origin))
        return Done{};  // an optimised program's twin counts guards; neither has probes
    if (!text)
        return text.error();
    auto table = model::read_site_table(*text);
    if (!table)
        return table.error();
    twin.table = std::move(*table);
    return Done{};
}

// A twin that is there is run only if nobody else can have made it or can change it before it runs.
bool is_usable(const std::string &path) { return ::access(path.c_str(), X_OK) == 0 && check_trusted_file(path); }

}  // namespace

Result<Twin> make_twin(const std::string &program, const std::string &objects, bool by_units) {
    auto original = link::open_program(program, objects);
    if (!original)
        return original.error();
    const auto bytes = read_file(original->path);
    if (!bytes)
        return bytes.error();
    const auto id = twin_id(*bytes, by_units);
    if (!id)
        return id.error();
    const auto files = twin_files(original->path, *id);
    if (!files)
        return files.error();
    Twin twin{files->twin, {}, std::move(*original), {}, false, by_units, ""};
    if (!twin.original.program.library.empty())
        twin.part = "library-" + *id;
    if (const auto &origin = twin.original.program.record.origin) {
        if (by_units)
            return fail(ErrorCode::usage, "{} was optimised: with --thinlto record the original, {}",
                        twin.original.path, origin->program);
        if (origin->plan.empty())
            return fail(
                ErrorCode::environment,
                "{} was optimised, and then stripped of its plan (section {}), without which its guards can't be "
                "counted: record a copy that was not stripped, or the original, {}",
                twin.original.path, link::plan_section, origin->program);
        auto names = guard_names(*origin);
        if (!names)
            return names.error();
        twin.guards = std::move(*names);
    }
    if (!is_usable(files->twin) || !read_table(twin, *files)) {
        if (const Status status = link_twin(twin, *files); !status)
            return status.error();
        if (const Status status = check_trusted_file(files->twin); !status)
            return status.error();
        // Twins of builds that are no more.
        remove_twins(fs::path(files->twin).parent_path(), fs::path(twin.original.path).filename().string(), *id);
        twin.linked_now = true;
    }
    if (const Status status = read_table(twin, *files); !status)
        return status.error();
    return twin;
}

}  // namespace thalweg::driver
