// measure: how many instructions a program executes in user mode, by valgrind's cachegrind (its manual, "Cachegrind File Format").
#include "measure/instructions.h"

#include <algorithm>
#include <charconv>
#include <filesystem>

#include "base/file.h"
#include "base/temporary.h"
#include "measure/valgrind.h"

namespace thalweg::measure {
namespace {

namespace fs = std::filesystem;

// The rest of the first line that begins with `word`.
std::optional<std::string_view> line_of(std::string_view text, std::string_view word) {
    while (!text.empty()) {
        const size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = text.substr(0, end);
        if (line.starts_with(word)) {
            return line.substr(word.size());
        }
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return std::nullopt;
}

bool is_of(const std::string &command, const std::string &program) {
    return command == program || command.starts_with(program + " ");
}

}  // namespace

std::optional<CachegrindFile> read_cachegrind(std::string_view text) {
    const auto command = line_of(text, "cmd: ");
    const auto summary = line_of(text, "summary: ");
    if (!command || !summary) {
        return std::nullopt;
    }
    CachegrindFile file{std::string(*command), 0};
    const auto [end, problem] = std::from_chars(summary->data(), summary->data() + summary->size(), file.instructions);
    if (problem != std::errc()) {
        return std::nullopt;
    }
    return file;
}

Result<uint64_t> count_instructions(const Command &command, const std::string &program, const std::string &directory) {
    const auto folder = TemporaryFolder::make_in(directory, "instructions");
    if (!folder) {
        return folder.error();
    }
    Command counted = command;
    counted.argv = {"valgrind",
                    "-q",
                    "--tool=cachegrind",
                    "--cache-sim=no",
                    "--trace-children=yes",
                    fmt::format("--cachegrind-out-file={}/%p.out", folder->path()),
                    fmt::format("--log-file={}/%p.log", folder->path()),
                    "--"};
    counted.program.clear();
    // A program that is told another name than its own is found by its own: valgrind takes both from one word.
    counted.argv.push_back(command.program.empty() ? command.argv[0] : command.program);
    counted.argv.insert(counted.argv.end(), command.argv.begin() + 1, command.argv.end());
    const Result<ChildRun> run = run_child(counted, "/dev/null", "/dev/null");
    if (!run) {
        return run.error();
    }
    if (run->timed_out) {
        return fail(ErrorCode::environment, "{} took longer than {} s under valgrind", program, command.timeout_s);
    }
    uint64_t instructions = 0;
    for (const auto &entry : fs::directory_iterator(folder->path())) {
        const auto text =
            entry.path().extension() == ".out" ? read_file(entry.path().string()) : Result<std::string>("");
        const auto file = text ? read_cachegrind(*text) : std::nullopt;
        if (file && is_of(file->command, program)) {
            instructions += file->instructions;
        }
    }
    if (const std::string why = why_valgrind_gave_up(*folder, program); instructions == 0 && !why.empty()) {
        return fail(ErrorCode::environment, "{}", why);
    }
    if (instructions == 0) {
        return fail(ErrorCode::environment, "valgrind counted nothing of {} ({})", program, ending_of(*run));
    }
    return instructions;
}

}  // namespace thalweg::measure
