// cli: `thalweg machine`, what crossings cost on this machine.
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <optional>

#include <CLI/CLI.hpp>
#include <unistd.h>

#include "base/file.h"
#include "cli/verb.h"
#include "cli/verbs.h"
#include "driver/stored_machine.h"
#include "measure/machine.h"
#include "model/machine.h"
#include "report/machine.h"

namespace thalweg::cli {

using namespace driver;

namespace {

using model::Machine;

constexpr uint32_t most_rounds = 1001;  // five minutes

struct MachineOptions {
    std::string output;
    std::string against;
    uint32_t rounds = measure::MachineOptions{}.rounds;
    bool show = false;
    bool json = false;
};

void declare_machine(CLI::App &app, MachineOptions &options) {
    app.add_option("-o,--output", options.output, "where the measurement goes, in place of where it is stored");
    app.add_option("--against", options.against, "another measurement to set beside it (else the stored one)");
    app.add_option("--rounds", options.rounds, "how often each row is measured")
        ->check(CLI::Range(1u, most_rounds))
        ->capture_default_str();
    app.add_flag("--show", options.show, "show the stored measurement, measure nothing");
    app.add_flag("--json", options.json, "as JSON on stdout");
    app.footer("Stored in $XDG_CACHE_HOME/thalweg/machine.json (~/.cache/thalweg/machine.json). Files are written and "
               "removed in "
               "the folder it is called from, in /tmp and in /dev/shm.");
}

Result<Machine> read_from(const std::string &path) {
    const Result<std::string> text = read_file(path);
    if (!text)
        return text.error();
    Result<Machine> machine = model::read_machine(*text);
    if (!machine)
        return fail(machine.error().code, "{}: {}", path, machine.error().message);
    return machine;
}

// One that was named must be there; the stored one need not, and a damaged one is said and replaced.
Result<std::optional<Machine>> older(const MachineOptions &options) {
    if (!options.against.empty()) {
        const Result<Machine> machine = read_from(options.against);
        if (!machine)
            return machine.error();
        return std::optional<Machine>(*machine);
    }
    const std::string stored = stored_machine_path();
    if (options.show || stored.empty() || !std::filesystem::exists(stored))
        return std::optional<Machine>();
    const Result<Machine> machine = read_from(stored);
    if (machine)
        return std::optional<Machine>(*machine);
    note(machine.error().message);
    return std::optional<Machine>();
}

Result<Machine> measured(const MachineOptions &options) {
    measure::MachineOptions what{.rounds = options.rounds};
    std::error_code error;
    const std::string here = std::filesystem::current_path(error).string();
    for (const std::string &folder : {here, std::string("/tmp"), std::string("/dev/shm")})
        if (std::filesystem::is_directory(folder, error))
            what.folders.push_back(folder);
    note(fmt::format("{} rounds, on a machine that does nothing else some 15 s for 31", options.rounds));
    const bool terminal = ::isatty(STDERR_FILENO) != 0;
    if (terminal)
        what.progress = [&](uint32_t round) { std::fprintf(stderr, "\r  round %u of %u", round, options.rounds); };
    Result<Machine> machine = measure::measure_machine(what);
    if (terminal)
        std::fputs("\r\033[K", stderr);
    return machine;
}

Result<std::string> store(const Machine &machine, const MachineOptions &options) {
    std::string path = options.output;
    if (path.empty()) {
        path = stored_machine_path();
        if (path.empty())
            return fail(ErrorCode::environment,
                        "neither XDG_CACHE_HOME nor HOME is set: say with --output where it goes");
        std::error_code error;  // told by the write that follows
        std::filesystem::create_directories(std::filesystem::path(path).parent_path(), error);
    }
    if (const Status written = write_file(path, model::write_machine(machine), Readers::others); !written)
        return written.error();
    return path;
}

Result<Machine> shown_or_measured(const MachineOptions &options) {
    if (!options.show)
        return measured(options);
    const std::string stored = stored_machine_path();
    if (!std::filesystem::exists(stored))
        return fail(ErrorCode::environment, "nothing is stored{}{}: `thalweg machine` measures and stores",
                    stored.empty() ? "" : " in ", stored);
    return read_from(stored);
}

}  // namespace

int run_machine(const Words &words) {
    MachineOptions options;
    CLI::App app("Measures what crossings cost on this machine: calls, system calls, switches, files, io_uring.",
                 "thalweg machine");
    declare_machine(app, options);
    if (const Parsed parsed(app, words); parsed.finished())
        return parsed.code();
    const Result<std::optional<Machine>> before = older(options);
    if (!before)
        return report_error("machine", before.error());
    const Result<Machine> machine = shown_or_measured(options);
    if (!machine)
        return report_error("machine", machine.error());
    std::optional<model::MachineAgreement> agreement;
    if (before->has_value())
        agreement = measure::agreement_of(**before, *machine);
    const model::MachineAgreement *beside = agreement ? &*agreement : nullptr;
    const report::TextStyle style{.colour = colour_on_stdout(), .most_rows = SIZE_MAX};
    std::fputs(
        (options.json ? report::json_machine(*machine, beside) : report::text_machine(*machine, beside, style)).c_str(),
        stdout);
    if (options.show)
        return 0;
    const Result<std::string> path = store(*machine, options);
    if (!path)
        return report_error("machine", path.error());
    note(fmt::format("wrote {}", *path));
    next_command(fmt::format("thalweg machine --against {}    tells whether it agrees with itself", shell_word(*path)));
    return 0;
}

}  // namespace thalweg::cli
