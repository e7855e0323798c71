// cli: the instrumented twin of a program.
#include "cli/twin.h"

#include <cerrno>
#include <cstring>
#include <filesystem>

#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/hash.h"
#include "base/temporary.h"
#include "base/trust.h"
#include "cli/verb.h"
#include "link/called.h"
#include "link/relink.h"
#include "link/tools.h"
#include "model/plan.h"

namespace thalweg::cli {

namespace {

namespace fs = std::filesystem;

// Everything that one twin consists of, by one stem.
struct TwinFiles {
    std::string twin;
    std::string table;
    std::string job;
    std::string plan;
    std::string outcome;
};

// Twins are executed, so nobody else may put one there or change what shapes it: neither in `folder` nor in its .thalweg, which
// is made. Both by the paths to use.
struct TwinPlace {
    std::string folder;
    std::string kept;
};

Result<TwinPlace> twin_place(const std::string &folder) {
    const auto trusted = trusted_folder(folder);
    if (!trusted)
        return trusted.error();
    const std::string kept = *trusted + "/.thalweg";
    if (::mkdir(kept.c_str(), 0755) != 0 && errno != EEXIST)
        return fail(ErrorCode::environment, "cannot make the folder {}: {}", kept, std::strerror(errno));
    const auto trusted_kept = trusted_folder(kept);
    if (!trusted_kept)
        return trusted_kept.error();
    if (*trusted_kept != kept)
        return fail(ErrorCode::environment, "{} is a symbolic link", kept);
    return TwinPlace{*trusted, kept};
}

// For programs whose folder isn't ours to write, or in which others can write: one folder a user, that nobody else can write to.
Result<TwinPlace> fallback_place() {
    const auto place = temporary_place();
    if (!place)
        return place.error();
    const std::string path = fmt::format("{}/thalweg-twins-{}", *place, ::geteuid());
    if (::mkdir(path.c_str(), 0700) != 0 && errno != EEXIST)
        return fail(ErrorCode::environment, "cannot make the folder {}: {}; name another place with TMPDIR", path,
                    std::strerror(errno));
    struct stat status{};
    if (::lstat(path.c_str(), &status) != 0 || !S_ISDIR(status.st_mode) || status.st_uid != ::geteuid() ||
        (status.st_mode & 077) != 0)
        return fail(ErrorCode::environment,
                    "{} is not a folder of yours alone; remove it, or name another place with "
                    "TMPDIR",
                    path);
    return twin_place(path);
}

Result<TwinFiles> files_for(const std::string &program, const std::string &id) {
    const fs::path whole = fs::absolute(program).lexically_normal();
    const std::string beside = whole.parent_path().string();
    auto place = ::access(beside.c_str(), W_OK) == 0 ? twin_place(beside) : fallback_place();
    if (!place) {
        const std::string why = place.error().message;
        place = fallback_place();
        if (!place)
            return fail(ErrorCode::environment, "{}; nor beside the program: {}", place.error().message, why);
        note(fmt::format("the twin does not stand beside the program but in {}: {}", place->folder, why));
    }
    const std::string name = whole.filename().string();
    const std::string stem = fmt::format("{}/{}.{}", place->kept, name, id);
    return TwinFiles{fmt::format("{}/.{}.{}.thalweg-twin", place->folder, name, id), stem + ".sites.json",
                     stem + ".job.json", stem + ".plan.toml", stem + ".outcome.json"};
}

// The program, and the parts of Thalweg that shape its twin.
Result<std::string> twin_id(const std::string &program_bytes) {
    uint64_t hash = hash_bytes(program_bytes);
    for (const std::string &path : {link::plugin_path(), link::recorder_path()}) {
        const auto bytes = read_file(path);
        if (!bytes)
            return fail(ErrorCode::environment, "nothing can be recorded: {}; build or install Thalweg whole",
                        bytes.error().message);
        hash = hash_bytes(*bytes, hash);
    }
    return to_hex(hash);
}

// An optimised program is made once more, with counters in its guards; any other one gets probes.
Status write_job_files(const std::string &program, const Twin &twin, const TwinFiles &files) {
    model::TransformJob job;
    job.site_table_path = files.table;
    const auto elsewhere = link::functions_called_without_bitcode(program, twin.program.record);
    if (!elsewhere)
        return elsewhere.error();
    job.called_elsewhere.assign(elsewhere->begin(), elsewhere->end());
    if (twin.program.record.origin) {
        job.mode = model::TransformJob::Mode::optimize;
        job.plan_path = files.plan;
        job.only_decisions = twin.program.record.origin->only_decisions;
        job.count_guards = true;
        job.outcome_path = files.outcome;
        if (const Status status = write_file(files.plan, twin.program.record.origin->plan); !status)
            return status;
    }
    return write_file(files.job, model::write_job(job));
}

// Twins of builds that are no more.
void remove_older_twins(const std::string &program, const TwinFiles &files) {
    constexpr size_t id_digits = 16;
    std::error_code problem;
    const std::string name = fs::path(program).filename().string();
    for (const fs::path &folder : {fs::path(files.twin).parent_path(), fs::path(files.table).parent_path()}) {
        for (const auto &entry : fs::directory_iterator(folder, problem)) {
            const std::string file = entry.path().filename().string();
            const size_t begin = file.starts_with("." + name + ".") ? name.size() + 2
                                 : file.starts_with(name + ".")     ? name.size() + 1
                                                                    : std::string::npos;
            if (begin == std::string::npos || file.size() <= begin + id_digits)
                continue;
            const std::string id = file.substr(begin, id_digits);
            const bool is_id = id.find_first_not_of("0123456789abcdef") == std::string::npos;
            if (is_id && file[begin + id_digits] == '.' && files.twin.find(id) == std::string::npos)
                fs::remove(entry.path(), problem);
        }
    }
}

Status link_twin(const std::string &program, const Twin &twin, const TwinFiles &files) {
    if (const Status status = write_job_files(program, twin, files); !status)
        return status;
    const std::string unfinished = fmt::format("{}.{}", files.twin, ::getpid());
    link::RelinkRequest request;
    request.output = unfinished;
    request.like = program;
    request.plugin = link::plugin_path();
    request.job_path = files.job;
    request.extra_inputs = {link::recorder_path()};
    request.libraries = {link::crossing_path()};
    request.own_passes = true;
    const auto relinked = link::relink(twin.program.record, request);
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
        const bool is_layer = decision.kind == model::DecisionKind::specialize;
        names[decision.id] = {decision.id, is_layer ? decision.site.function : decision.event};
    }
    return names;
}

Status read_table(Twin &twin, const TwinFiles &files) {
    const auto text = read_file(files.table);
    if (!text && twin.program.record.origin)
        return Done{};  // an optimised program's twin counts guards; it has no probes
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

Result<Twin> make_twin(const std::string &program) {
    const auto bytes = read_file(program);
    if (!bytes)
        return bytes.error();
    auto linked = link::read_linked_program_bytes(*bytes, program);
    if (!linked)
        return linked.error();
    const auto id = twin_id(*bytes);
    if (!id)
        return id.error();
    const auto files = files_for(program, *id);
    if (!files)
        return files.error();
    Twin twin{files->twin, {}, std::move(*linked), {}, false};
    if (twin.program.record.origin) {
        auto names = guard_names(*twin.program.record.origin);
        if (!names)
            return names.error();
        twin.guards = std::move(*names);
    }
    if (!is_usable(files->twin) || !read_table(twin, *files)) {
        if (const Status status = link_twin(program, twin, *files); !status)
            return status.error();
        if (const Status status = check_trusted_file(files->twin); !status)
            return status.error();
        remove_older_twins(program, *files);
        twin.linked_now = true;
    }
    if (const Status status = read_table(twin, *files); !status)
        return status.error();
    return twin;
}

}  // namespace thalweg::cli
