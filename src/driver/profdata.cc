// driver: counts of blocks as a profile of LLVM's own, for clang, llvm-profdata and whoever else reads one.
#include "driver/profdata.h"

#include <unistd.h>

#include "base/file.h"
#include "base/process.h"
#include "base/temporary.h"
#include "link/tools.h"
#include "record/profdata_text.h"

namespace thalweg::driver {

namespace {

constexpr int killed_by_signal = 128;  // as ProcessEnd has it

// What `llvm-profdata merge` makes of a file, by these words.
Result<std::string> merged(const std::string &path, const std::vector<std::string> &words) {
    if (::access(link::profdata_tool, X_OK) != 0)
        return fail(ErrorCode::environment, "{} is not there: install the package llvm-19", link::profdata_tool);
    const auto scratch = TemporaryFolder::make("profdata");
    if (!scratch)
        return scratch.error();
    const std::string out = scratch->file("merged");
    std::vector<std::string> command{link::profdata_tool, "merge", "-o", out};
    command.insert(command.end(), words.begin(), words.end());
    command.push_back(path);
    const auto end = run_process(command, {"", {}, true});
    if (!end)
        return end.error();
    // LLVM 19 checks less of a damaged file than it reads, and tells of itself then, not of the file.
    if (end->exit_code >= killed_by_signal)
        return fail(ErrorCode::does_not_fit,
                    "{0} is no profile: signal {2} ended {1} in it, as it does where a file is damaged", path,
                    link::profdata_tool, end->exit_code - killed_by_signal);
    if (end->exit_code != 0)
        return fail(ErrorCode::does_not_fit, "{} is no profile for llvm-profdata: {}", path,
                    end->output.substr(0, end->output.find_last_not_of('\n') + 1));
    return read_file(out);
}

}  // namespace

Result<std::string> indexed_profile(const std::vector<model::FunctionCounts> &counts) {
    const auto text = TemporaryFile::make("counts", record::write_profdata_text(counts));
    if (!text)
        return text.error();
    return merged(text->path(), {});
}

Result<std::vector<model::FunctionCounts>> read_profdata(const std::string &path) {
    const Result<std::string> text = merged(path, {"--text"});
    if (!text)
        return text.error();
    auto counts = record::read_profdata_text(*text);
    return counts ? counts : fail(counts.error().code, "{}: {}", path, counts.error().message);
}

}  // namespace thalweg::driver
