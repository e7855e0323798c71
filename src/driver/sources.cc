// driver: the source of specialised functions, read for the report.
#include "driver/sources.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <sstream>

#include "base/file.h"

namespace thalweg::driver {

namespace {

namespace fs = std::filesystem;

// Of all files together: more than the layers of any program, and little enough to hold; an outcome may name anything.
constexpr uintmax_t most_bytes = uintmax_t{64} << 20;

// When the code was made: a source that is younger is another one than was compiled. Nothing: neither file is there.
std::optional<fs::file_time_type> time_of_code(const std::string &outcome, const std::string &program) {
    std::optional<fs::file_time_type> earliest;
    for (const std::string &path : {outcome, program}) {
        std::error_code problem;
        const fs::file_time_type time = fs::last_write_time(path, problem);
        if (!problem)
            earliest = earliest ? std::min(*earliest, time) : time;
    }
    return earliest;
}

std::vector<std::string> lines_of(const std::string &text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);)
        lines.push_back(std::move(line));
    return lines;
}

class Reader {
  public:
    explicit Reader(std::optional<fs::file_time_type> code) : code_(code) {}

    report::SourceText read(const fs::path &path) {
        const std::string name = path.string();
        std::error_code problem;
        const fs::file_status status = fs::status(path, problem);
        if (!fs::exists(status))
            return {{}, fmt::format("{} is not there", name)};
        // A pipe or a device is not opened: reading it might never end.
        if (!fs::is_regular_file(status))
            return {{}, fmt::format("{} is no file with text", name)};
        const fs::file_time_type time = fs::last_write_time(path, problem);
        if (!problem && code_ && time > *code_)
            return {{}, fmt::format("{} has been changed since the program was made", name)};
        const uintmax_t size = fs::file_size(path, problem);
        // Nor are files of /proc, which say that they are empty, and may keep a reader waiting.
        if (size == 0)
            return {{}, fmt::format("{} is empty", name)};
        if (problem || size > left_)
            return {
                {},
                fmt::format("{} was not read: all sources together are larger than {} MiB", name, most_bytes >> 20)};
        left_ -= size;
        const Result<std::string> text = read_file(name);
        if (!text)
            return {{}, text.error().message};
        return {lines_of(*text), {}};
    }

  private:
    std::optional<fs::file_time_type> code_;
    uintmax_t left_ = most_bytes;
};

}  // namespace

report::Sources read_sources(const model::Outcome &outcome, const std::string &outcome_path,
                             const std::string &program) {
    report::Sources sources;
    Reader reader(time_of_code(outcome_path, program));
    for (const model::DecisionOutcome &decision : outcome.decisions)
        for (const model::FunctionTimes &function : decision.functions) {
            const std::pair key(function.directory, function.file);
            if (!function.file.empty() && !sources.contains(key))
                sources[key] = reader.read(fs::path(function.directory) / function.file);
        }
    return sources;
}

}  // namespace thalweg::driver
