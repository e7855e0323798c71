// cli: `thalweg record`, a run of the program, written down.
#include <algorithm>
#include <cstdio>
#include <filesystem>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "cli/verb.h"
#include "cli/verbs.h"
#include "driver/libraries.h"
#include "driver/profdata.h"
#include "driver/recording.h"
#include "record/merge.h"
#include "record/perf_trace.h"
#include "record/strace.h"

namespace thalweg::cli {

using namespace driver;

namespace {

struct RecordOptions {
    std::string output = "thalweg.profile";
    std::string program;
    std::string objects;
    std::string strace;
    std::string perf;
    std::string profdata;
    std::string recover;
    std::vector<std::string> libraries;
    bool exact = false;
    bool thinlto = false;
    bool json = false;
};

void declare_record(CLI::App &app, RecordOptions &options) {
    app.add_option("-o,--output", options.output, "where the profile goes")->capture_default_str();
    app.add_option("--program", options.program,
                   "the program to record; what follows -- is then a command that runs it: THALWEG_PROGRAM names the "
                   "instrumented twin, {} stands for it");
    declare_objects(app, options.objects);
    declare_libraries(app, options.libraries);
    app.add_option(
        "--from-strace", options.strace,
        "instead of a run: what `strace -f -ttt -T -k -o FILE COMMAND` wrote, of any program; its system calls alone");
    app.add_option("--from-perf", options.perf,
                   "instead of a run: what `perf script --ns` printed of `perf record -e "
                   "raw_syscalls:sys_enter,raw_syscalls:sys_exit --call-graph dwarf,1024 -m 4096 COMMAND`, of any "
                   "program; its system calls alone");
    app.add_option(
        "--from-profdata", options.profdata,
        "instead of a run: the counts of an LLVM profile, of what `thalweg export --profdata` wrote or of a program "
        "that was built with -fprofile-generate; they fit functions that LLVM saw as Thalweg's link does");
    app.add_option("--recover", options.recover,
                   "instead of a run: what a recording had counted that was killed itself; without FOLDER the only one "
                   "that is there")
        ->expected(0, 1)
        ->type_name("FOLDER");
    app.add_flag("--exact", options.exact,
                 "note every dispatch, however long it takes (else: the first 16,384 of a thread, the first 64 at each "
                 "place, then samples; all are counted)");
    app.add_flag("--thinlto", options.thinlto,
                 "for what is too large for one link: each file by itself, with LLVM's counters; blocks alone are "
                 "counted, and optimize --thinlto uses them");
    app.add_flag("--json", options.json, "after the program's own output, one line of JSON about the recording");
    app.footer("thalweg record -o day.profile -- ./server --port 8080\n"
               "thalweg record -o day.profile --program ./server -- ./load.sh {}\n"
               "thalweg record --recover -o day.profile\n"
               "Exit: the program's own code (128 + signal when a signal ended it).");
}

void print_json(const Recording &recording, const RecordOptions &options) {
    const model::Coverage &coverage = recording.profile.coverage;
    const nlohmann::json line = {{"profile", options.output},
                                 {"program", recording.profile.program},
                                 {"build_id", recording.profile.build_id},
                                 {"exit_code", recording.exit_code},
                                 {"sites", recording.profile.sites.size()},
                                 {"events", recording.profile.events.size()},
                                 {"dispatches", coverage.dispatches},
                                 {"recorded", coverage.recorded},
                                 {"lost", coverage.lost},
                                 {"exact", coverage.recorded == coverage.dispatches && coverage.lost == 0},
                                 {"processes", coverage.processes},
                                 {"threads", coverage.threads},
                                 {"problems", recording.problems}};
    std::printf("%s\n", line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace).c_str());
}

// The profile of a program that need not be ours.
int import_trace(const RecordOptions &options, const std::string &path,
                 Result<record::Trace> (*read)(std::string_view)) {
    const Result<std::string> text = read_file(path);
    if (!text)
        return report_error("record", text.error());
    const auto trace = read(*text);
    if (!trace)
        return report_error("record", fail(trace.error().code, "{}: {}", path, trace.error().message));
    const auto profile = record::profile_of_trace(*trace);
    if (!profile)
        return report_error("record", profile.error());
    if (const Status written = model::write_profile(*profile, options.output); !written)
        return report_error("record", written.error());
    const std::string first =
        trace->first_unknown_line == 0 ? "" : fmt::format(", the first is line {}", trace->first_unknown_line);
    note(fmt::format("{} system calls at {} sites; {} lines were no system calls{}", trace->calls.size(),
                     profile->system_calls.size(), trace->unknown_lines, first));
    next_command(fmt::format("thalweg report {}", shell_word(options.output)));
    return 0;
}

int import_counts(const RecordOptions &options) {
    auto counts = read_profdata(options.profdata);
    if (!counts)
        return report_error("record", counts.error());
    model::Profile part;
    part.counts = std::move(*counts);
    // Merged with nothing it is in order.
    const auto profile = record::merge({part});
    if (!profile)
        return report_error("record", profile.error());
    if (const Status written = model::write_profile(*profile, options.output); !written)
        return report_error("record", written.error());
    note(fmt::format("counts of {} functions", profile->counts.size()));
    next_command(fmt::format("thalweg optimize PROGRAM --profile {}", shell_word(options.output)));
    return 0;
}

// The folder that was named, or the only one.
Result<std::string> folder_to_recover(const std::string &named) {
    if (!named.empty())
        return named;
    const std::vector<std::string> folders = record::folders_left_behind();
    if (folders.size() == 1)
        return folders.front();
    if (folders.empty())
        return fail(ErrorCode::usage, "no recording that was killed is to be found; TMPDIR names the folder for them");
    return fail(ErrorCode::usage, "there are several recordings that were killed; name one of {}",
                fmt::join(folders, ", "));
}

int recover(const RecordOptions &options) {
    const auto path = folder_to_recover(options.recover);
    if (!path)
        return report_error("record", path.error());
    auto folder = record::Folder::open(*path);
    if (!folder)
        return report_error("record", folder.error());
    const auto recording = recover_recording(*folder, options.objects);
    if (!recording)
        return report_error("record", recording.error());
    if (const Status written = model::write_profile(recording->profile, options.output); !written)
        return report_error("record", written.error());
    folder->discard();
    if (options.json)
        print_json(*recording, options);
    tell_recording(*recording);
    next_command(fmt::format("thalweg report {}", shell_word(options.output)));
    return 0;
}

}  // namespace

int run_record(const Words &words) {
    CLI::App app("run a program, built by thalweg-cc, and write down which events and handlers ran", "thalweg record");
    RecordOptions options;
    declare_record(app, options);
    const auto dashes = std::find(words.begin(), words.end(), "--");
    if (const Parsed parsed(app, {words.begin(), dashes}); parsed.finished())
        return parsed.code();
    if (app.count("--from-strace") + app.count("--from-perf") + app.count("--from-profdata") > 1)
        return report_error(
            "record", fail(ErrorCode::usage, "one of --from-strace, --from-perf and --from-profdata, not several"));
    if (!options.profdata.empty())
        return import_counts(options);
    if (!options.strace.empty())
        return import_trace(options, options.strace, record::read_strace);
    if (!options.perf.empty())
        return import_trace(options, options.perf, record::read_perf_trace);
    if (app.count("--recover") != 0) {
        if (const Status status = check_folder(options.output); !status)
            return report_error("record", status.error());
        return recover(options);
    }
    if (dashes == words.end() || dashes + 1 == words.end())
        return report_error("record",
                            fail(ErrorCode::usage, "what is to be run? thalweg record -o FILE -- ./program ..."));
    RecordingRequest request;
    request.exact = options.exact;
    request.objects = options.objects;
    request.driver = !options.program.empty();
    request.libraries = options.libraries;
    request.by_units = options.thinlto;
    request.program = request.driver ? options.program : *(dashes + 1);
    request.arguments.assign(dashes + (request.driver ? 1 : 2), words.end());
    if (const Status status = check_folder(options.output); !status)
        return report_error("record", status.error());
    std::error_code no_such_file;
    if (std::filesystem::equivalent(request.program, options.output, no_such_file))
        return report_error("record", fail(ErrorCode::usage,
                                           "{} is the program itself, which stays as it is; name "
                                           "another file with -o",
                                           options.output));
    tell_folders_left_behind();
    const auto recording = record_program(request);
    if (!recording)
        return report_error("record", recording.error());
    const bool any = tell_recording(*recording);
    // What an earlier run has recorded is worth more.
    if (const bool stays = !any && std::filesystem::exists(options.output, no_such_file); stays)
        note(fmt::format("{} stays as it was", options.output));
    else if (const Status written = model::write_profile(recording->profile, options.output); !written)
        return report_error("record", written.error());
    if (options.json)
        print_json(*recording, options);
    if (!any)
        next_command(fmt::format("thalweg doctor {}", shell_word(request.program)));
    else if (options.thinlto)
        next_command(fmt::format("thalweg optimize {} --thinlto --profile {}", shell_word(request.program),
                                 shell_word(options.output)));
    else
        next_command(fmt::format("thalweg report {}", shell_word(options.output)));
    return recording->exit_code;
}

}  // namespace thalweg::cli
