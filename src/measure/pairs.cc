// measure: two programs, run in turn on the same input.
#include "measure/pairs.h"

#include <algorithm>
#include <array>
#include <filesystem>

#include "measure/statistics.h"

namespace thalweg::measure {
namespace {

namespace fs = std::filesystem;
using model::Measurement;

// The files that the programs write, as they were before the first run: each run finds them so.
class KeptFiles {
  public:
    static Result<KeptFiles> keep(const std::vector<std::string> &files, const std::string &directory) {
        KeptFiles kept;
        for (const std::string &file : files) {
            std::string copy;
            std::error_code error;
            if (fs::exists(file, error)) {
                copy = fmt::format("{}/kept-{}", directory, kept.files_.size());
                fs::copy_file(file, copy, fs::copy_options::overwrite_existing, error);
            }
            if (error) {
                return fail(ErrorCode::usage, "cannot keep a copy of {}: {}", file, error.message());
            }
            kept.files_.push_back({file, copy});
        }
        return kept;
    }

    Status restore() const {
        for (const auto &[file, copy] : files_) {
            std::error_code error;
            if (copy.empty()) {
                fs::remove(file, error);
            }
            if (!copy.empty()) {
                fs::copy_file(copy, file, fs::copy_options::overwrite_existing, error);
            }
            if (error) {
                return fail(ErrorCode::environment, "cannot put {} back as it was: {}", file, error.message());
            }
        }
        return Done{};
    }

  private:
    struct File {
        std::string file;
        std::string copy;  // empty: there was no such file
    };
    std::vector<File> files_;
};

Command command_for(const PairOptions &options, const std::string &program) {
    Command command;
    command.environment = {{"THALWEG_PROGRAM", program}};
    command.stdin_path = options.stdin_path;
    command.timeout_s = options.timeout_s;
    if (!options.driver) {
        // Both are told the same name: a program that prints its own name shows the same as the other.
        command.program = program;
        command.argv = {options.original};
    }
    for (std::string argument : options.arguments) {
        for (size_t at = 0; options.driver && (at = argument.find("{}", at)) != std::string::npos;
             at += program.size()) {
            argument.replace(at, 2, program);
        }
        command.argv.push_back(argument);
    }
    return command;
}

std::string in_words(const PairOptions &options) {
    std::string words;
    for (const std::string &argument : options.arguments) {
        words += (words.empty() ? "" : " ") + argument;
    }
    return words;
}

}  // namespace

Status run_original(const PairOptions &options) {
    const Result<KeptFiles> kept = KeptFiles::keep(options.files, options.directory);
    if (!kept) {
        return kept.error();
    }
    const Result<ChildRun> run =
        run_child(command_for(options, options.original), options.directory + "/stdout", options.directory + "/stderr");
    if (!run) {
        return run.error();
    }
    return kept->restore();
}

Result<Measurement> measure_pairs(const PairOptions &options, const Observer &observe) {
    Result<KeptFiles> kept = KeptFiles::keep(options.files, options.directory);
    if (!kept) {
        return kept.error();
    }
    Measurement measurement;
    measurement.original = options.original;
    measurement.candidate = options.candidate;
    measurement.command = in_words(options);
    const std::array commands = {command_for(options, options.original), command_for(options, options.original),
                                 command_for(options, options.candidate)};
    const std::array lists = {&measurement.original_runs, &measurement.again_runs, &measurement.candidate_runs};
    const std::string out = options.directory + "/stdout";
    const std::string err = options.directory + "/stderr";
    for (uint32_t round = 1; round <= options.rounds; ++round) {
        for (uint32_t turn = 0; turn < 3; ++turn) {
            // Each side comes first, second and third equally often, so that drift within a round falls on all alike.
            const uint32_t side = (turn + round - 1) % 3;
            if (Status status = kept->restore(); !status) {
                return status.error();
            }
            Result<ChildRun> run = run_child(commands[side], out, err);
            if (!run) {
                return run.error();
            }
            lists[side]->push_back(run->times);
            if (!observe({static_cast<Side>(side), round, ending_of(*run), out, err})) {
                round = options.rounds;
                break;
            }
        }
    }
    const size_t whole = std::min({lists[0]->size(), lists[1]->size(), lists[2]->size()});
    for (auto *list : lists) {
        list->resize(whole);  // a round that was cut short has no ratio
    }
    estimate_ratios(measurement);
    return measurement;
}

}  // namespace thalweg::measure
