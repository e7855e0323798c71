// measure: two programs, run in turn on the same input.
#include "measure/pairs.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>

#include "base/interruption.h"
#include "measure/instructions.h"
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

Command command_for(const PairOptions &options, Side side) {
    const bool is_candidate = side == Side::candidate;
    const std::string &program = is_candidate ? options.candidate : options.original;
    Command command;
    command.environment = is_candidate ? options.candidate_environment : options.original_environment;
    command.environment.emplace_back("THALWEG_PROGRAM", program);
    command.stdin_path = options.stdin_path;
    command.timeout_s = options.timeout_s;
    if (!options.driver) {
        // Both are told the same name: a program that prints its own name shows the same as the other.
        command.program = program;
        command.argv = {options.name.empty() ? options.original : options.name};
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

// Original, original again and candidate, round by round.
class Rounds {
  public:
    Rounds(const PairOptions &options, const KeptFiles &kept, const Observer &observe)
        : options_(options), kept_(kept), observe_(observe),
          commands_{command_for(options, Side::original), command_for(options, Side::again),
                    command_for(options, Side::candidate)} {
        measurement_.original = options.original;
        measurement_.candidate = options.candidate;
        measurement_.command = in_words(options);
    }

    // False: whoever looks on wants no more.
    Result<bool> run_until(uint32_t last) {
        for (; round_ <= last; ++round_) {
            for (uint32_t turn = 0; turn < commands_.size(); ++turn) {
                // Each side comes first, second and third equally often, so that drift within a round falls on all alike.
                const Result<bool> goes_on = run(static_cast<Side>((turn + round_ - 1) % commands_.size()));
                if (!goes_on || !*goes_on) {
                    return goes_on;
                }
            }
        }
        return true;
    }

    Measurement measurement() const {
        Measurement whole = measurement_;
        // A round that was cut short has no ratio.
        const size_t rounds =
            std::min({whole.original_runs.size(), whole.again_runs.size(), whole.candidate_runs.size()});
        for (auto *list : {&whole.original_runs, &whole.again_runs, &whole.candidate_runs}) {
            list->resize(rounds);
        }
        estimate_ratios(whole);
        return whole;
    }

  private:
    Result<bool> run(Side side) {
        if (Status status = kept_.restore(); !status) {
            return status.error();
        }
        const std::string out = options_.directory + "/stdout";
        const std::string err = options_.directory + "/stderr";
        const auto index = static_cast<size_t>(side);
        const Result<ChildRun> ran = run_child(commands_[index], out, err);
        if (!ran && ran.error().code == ErrorCode::interrupted) {
            return false;
        }
        if (!ran) {
            return ran.error();
        }
        const std::array lists = {&measurement_.original_runs, &measurement_.again_runs, &measurement_.candidate_runs};
        lists[index]->push_back(ran->times);
        return observe_({side, round_, ending_of(*ran), out, err});
    }

    const PairOptions &options_;
    const KeptFiles &kept_;
    const Observer &observe_;
    const std::array<Command, 3> commands_;
    Measurement measurement_;
    uint32_t round_ = 1;
};

}  // namespace

Status run_original(const PairOptions &options) {
    const Result<KeptFiles> kept = KeptFiles::keep(options.files, options.directory);
    if (!kept) {
        return kept.error();
    }
    const Result<ChildRun> run =
        run_child(command_for(options, Side::original), options.directory + "/stdout", options.directory + "/stderr");
    if (!run) {
        return run.error();
    }
    return kept->restore();
}

Status count_instructions(const PairOptions &options, Measurement &measurement) {
    const Result<KeptFiles> kept = KeptFiles::keep(options.files, options.directory);
    if (!kept) {
        return kept.error();
    }
    const std::pair<Side, uint64_t *> sides[] = {{Side::original, &measurement.original_instructions},
                                                 {Side::candidate, &measurement.candidate_instructions}};
    for (const auto &[side, count] : sides) {
        const std::string &program = side == Side::candidate ? options.candidate : options.original;
        const Result<uint64_t> counted = count_instructions(command_for(options, side), program, options.directory);
        if (const Status restored = kept->restore(); !restored) {
            return restored;
        }
        if (!counted) {
            return counted.error();
        }
        *count = *counted;
    }
    return Done{};
}

Result<Measurement> measure_pairs(const PairOptions &options, const Observer &observe, const Decided &decided) {
    Result<KeptFiles> kept = KeptFiles::keep(options.files, options.directory);
    if (!kept) {
        return kept.error();
    }
    Rounds rounds(options, *kept, observe);
    const auto start = std::chrono::steady_clock::now();
    const auto passed_s = [&] {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    };
    uint32_t until = options.rounds != 0 ? options.rounds : default_rounds;
    while (true) {
        const Result<bool> goes_on = rounds.run_until(until);
        if (!goes_on) {
            return goes_on.error();
        }
        // What is to come takes as long as what was.
        const bool is_last = options.rounds != 0 || until >= most_rounds || 2 * passed_s() > patience_s;
        if (interrupted()) {
            if (const Status restored = kept->restore(); !restored) {
                return restored.error();
            }
        }
        Measurement measured = rounds.measurement();
        if (!*goes_on || is_last || !decided || decided(measured)) {
            return measured;
        }
        until *= 2;
    }
}

}  // namespace thalweg::measure
