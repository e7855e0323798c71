// driver: a run of a twin whose units count for LLVM's own runtime.
#include "driver/counted_units.h"

#include <filesystem>

#include "base/temporary.h"
#include "driver/profdata.h"
#include "record/merge.h"

namespace thalweg::driver {

namespace {

namespace fs = std::filesystem;

// All processes of a program add to one file, by the program's signature (clang's documentation of LLVM_PROFILE_FILE).
constexpr const char *profile_variable = "LLVM_PROFILE_FILE";
constexpr const char *profile_pattern = "%m.profraw";

bool is_empty(const std::string &folder) {
    std::error_code problem;
    return fs::directory_iterator(folder, problem) == fs::directory_iterator();
}

}  // namespace

Result<Recording> record_units(const Twin &twin, record::RunRequest run, const record::Recorded &of) {
    const auto folder = TemporaryFolder::make("counts");
    if (!folder)
        return folder.error();
    // LLVM's runtime has no way to write the character itself.
    if (folder->path().find('%') != std::string::npos)
        return fail(ErrorCode::environment,
                    "{} has a % in its name, which LLVM's runtime reads as a word of its own; "
                    "name another place with TMPDIR",
                    folder->path());
    run.environment.emplace_back(profile_variable, folder->file(profile_pattern));
    const auto done = record::run_twin(run);
    if (!done)
        return done.error();
    model::Profile profile;
    profile.program = of.program;
    profile.build_id = of.build_id;
    profile.command = of.command;
    if (!is_empty(folder->path())) {
        auto counts = read_profdata(folder->path());
        if (!counts)
            return counts.error();
        profile.counts = std::move(*counts);
        profile.coverage.processes = 1;  // at least: they are not told apart
    }
    // Merged with nothing it is in order.
    auto ordered = record::merge({profile});
    if (!ordered)
        return ordered.error();
    return Recording{std::move(*ordered), done->exit_code, done->problems, done->interrupted, false, twin.by_units};
}

}  // namespace thalweg::driver
