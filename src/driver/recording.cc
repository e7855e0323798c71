// driver: a program recorded once, for `record` and for `auto`.
#include "driver/recording.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <optional>
#include <sstream>

#include "base/say.h"
#include "driver/counted_units.h"
#include "driver/libraries.h"
#include "driver/twin.h"
#include "link/needed.h"
#include "record/run.h"

namespace thalweg::driver {

namespace {

void tell_link(const Twin &twin, const std::string &program) {
    if (twin.linked_now)
        note(fmt::format("linked an instrumented twin of {} ({})", program, twin.path));
    if (twin.table.sites.empty() && twin.table.fact_places.empty() && twin.guards.empty())
        note(fmt::format(
            "WARNING: {} has no dispatch site (no loop that calls through pointers, in the code whose bitcode "
            "was kept) and no generic code, so there is nothing to record; `thalweg doctor {}` tells which objects are "
            "opaque",
            program, shell_word(program)));
}

record::RunRequest run_request(const RecordingRequest &request, const Twin &twin) {
    record::RunRequest run;
    run.exact = request.exact;
    run.twin = twin.path;
    if (request.driver) {
        run.words = driver_words(request.arguments, twin.path);
        run.executable = run.words[0];
        run.environment = {{"THALWEG_PROGRAM", twin.path}};
        return run;
    }
    run.executable = twin.path;
    run.words = {request.program};
    run.words.insert(run.words.end(), request.arguments.begin(), request.arguments.end());
    return run;
}

// What was noted of functions that compute. False: nothing.
bool tell_computations(const model::Profile &profile) {
    if (profile.computations.empty())
        return false;
    const auto steady = std::count_if(profile.computations.begin(), profile.computations.end(),
                                      [](const model::NotedComputation &one) { return 2 * one.same > one.notes; });
    note(fmt::format("{} functions that compute from what can be compared were entered: {} mostly with the same inputs",
                     profile.computations.size(), steady));
    return true;
}

// What was counted of system calls. False: none was made.
bool tell_system_calls(const model::Profile &profile) {
    uint64_t calls = 0;
    for (const model::NotedSystemCall &one : profile.system_calls)
        calls += one.calls;
    if (calls != 0)
        note(fmt::format("{} system calls at {} sites", calls, profile.system_calls.size()));
    return calls != 0;
}

// And of calls that print or read.
bool tell_output(const model::Profile &profile) {
    uint64_t calls = 0;
    for (const model::NotedOutput &one : profile.output_calls)
        calls += one.calls;
    if (calls != 0)
        note(fmt::format("{} calls that print or read at {} sites", calls, profile.output_calls.size()));
    return calls != 0;
}

// And of what gives small blocks and takes them.
bool tell_blocks(const model::Profile &profile) {
    uint64_t calls = 0;
    uint64_t served = 0;
    for (const model::NotedBlocks &one : profile.block_calls) {
        calls += one.calls;
        served += one.served;
    }
    if (calls != 0)
        note(
            fmt::format("{} calls that give blocks of memory or take them, {} of them served by the threads' own lists",
                        calls, served));
    return calls != 0;
}

// What was noted of generic code. False: nothing.
bool tell_facts(const model::Profile &profile) {
    if (profile.facts.empty())
        return false;
    const auto steady = std::count_if(profile.facts.begin(), profile.facts.end(),
                                      [](const model::NotedFact &fact) { return !fact.varies; });
    note(fmt::format("{} places of generic code in {} functions: {} keep to a few values, {} vary",
                     profile.facts.size(), profile.functions.size(), steady,
                     static_cast<ptrdiff_t>(profile.facts.size()) - steady));
    return true;
}

ptrdiff_t count_of_dispatch_sites(const model::Profile &profile) {
    return std::count_if(profile.sites.begin(), profile.sites.end(),
                         [](const model::Site &site) { return is_of_handlers(site.kind); });
}

// Of how many functions' blocks were counted. False: none ran.
bool tell_counts(const model::Profile &profile) {
    const auto ran = std::ranges::count_if(profile.counts, [](const model::FunctionCounts &function) {
        return std::ranges::any_of(function.counts, [](uint64_t count) { return count != 0; });
    });
    if (ran != 0)
        note(fmt::format("blocks of {} functions counted, {} of which ran", profile.counts.size(), ran));
    return ran != 0;
}

std::string absolute_lines(const std::vector<std::string> &paths) {
    std::string lines;
    for (const std::string &path : paths)
        lines += std::filesystem::absolute(path).string() + "\n";
    return lines;
}

std::vector<std::string> lines_of(const std::string &text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);)
        lines.push_back(line);
    return lines;
}

// The twins of a program and of its shared libraries.
struct Twins {
    Twin program;
    std::vector<Twin> libraries;

    std::vector<std::string> parts() const {
        std::vector<std::string> parts;
        for (const Twin &library : libraries)
            parts.push_back(library.part);
        return parts;
    }
};

Result<Twins> make_twins(const std::string &program, const std::string &objects,
                         const std::vector<std::string> &libraries) {
    auto twin = make_twin(program, objects);
    if (!twin)
        return twin.error();
    Twins twins{std::move(*twin), {}};
    for (const std::string &path : libraries) {
        auto library = make_twin(path, objects);
        if (!library && library.error().code == ErrorCode::interrupted)
            return library.error();
        if (!library) {
            note(fmt::format("WARNING: {} runs as it was built, and nothing is recorded in it: {}", path,
                             library.error().message));
            continue;
        }
        twins.libraries.push_back(std::move(*library));
    }
    return twins;
}

// A library that no process of the run loaded has none.
Status add_libraries(const Twins &twins, const record::Run &run, const std::string &command, model::Profile &profile) {
    for (size_t i = 0; i < twins.libraries.size(); ++i) {
        const Twin &twin = twins.libraries[i];
        const link::LinkedProgram &linked = twin.original.program;
        if (run.parts[i].empty()) {
            note(fmt::format("nothing was recorded in {}: it was not loaded, or by a process that lost its environment",
                             twin.original.path));
            continue;
        }
        auto part = record::build_profile(run.parts[i], twin.table, {twin.original.path, linked.build_id, command},
                                          twin.guards);
        if (!part)
            return part.error();
        part->library = linked.library;
        profile.libraries.push_back(std::move(*part));
    }
    std::ranges::sort(profile.libraries, {}, &model::Profile::library);
    return Done{};
}

Result<Recording> recording_of(const Twins &twins, const record::Run &run, const record::Recorded &recorded) {
    auto profile = record::build_profile(run.files, twins.program.table, recorded, twins.program.guards);
    if (!profile)
        return profile.error();
    if (const Status added = add_libraries(twins, run, recorded.command, *profile); !added)
        return added.error();
    return Recording{std::move(*profile),
                     run.exit_code,
                     run.problems,
                     run.interrupted,
                     twins.program.original.program.record.origin.has_value(),
                     false};
}

// The twins of the libraries in their places; nothing where there is no library, and none can come by dlopen.
Result<std::optional<ReplacedLibraries>> replaced_by_twins(const Twins &twins) {
    std::vector<std::pair<std::string, std::string>> pairs;
    for (const Twin &library : twins.libraries)
        pairs.emplace_back(library.original.path, library.path);
    if (pairs.empty() && !link::opens_libraries(twins.program.original.path))
        return std::optional<ReplacedLibraries>();
    auto replaced = ReplacedLibraries::make(pairs);
    if (!replaced)
        return replaced.error();
    return std::optional<ReplacedLibraries>(std::move(*replaced));
}

// `known`: those that were to be recorded; of one that could not be, that has been said.
void tell_left_as_they_are(const ReplacedLibraries &replaced, const std::vector<std::string> &known) {
    for (const std::string &library : replaced.left_as_they_are(known))
        note(fmt::format("{} was loaded, and not looked into: to record it with the program, name it with --library {}",
                         library, shell_word(library)));
}

// Of an optimised program or library.
void tell_guards(const model::Profile &profile) {
    size_t untested = 0;
    for (const model::GuardCount &guard : profile.guards) {
        if (guard.hits + guard.failures == 0) {
            ++untested;
            continue;
        }
        note(fmt::format("decision {} ({}): guard held {} times, failed {} times", guard.decision, guard.event,
                         guard.hits, guard.failures));
    }
    if (untested > 0)
        note(fmt::format(
            "{} decisions had no test of their own in this run: the word of the line around held them, or they "
            "did not run",
            untested));
}

// What was counted in one shared library.
void tell_library(const model::Profile &library) {
    const auto ran = std::ranges::count_if(library.counts, [](const model::FunctionCounts &function) {
        return std::ranges::any_of(function.counts, [](uint64_t count) { return count != 0; });
    });
    if (library.coverage.lost > 0)
        note(fmt::format("WARNING: in {} {} dispatches or calls were lost; counts are too low by as many",
                         library.library, library.coverage.lost));
    tell_guards(library);
    if (!library.guards.empty())
        return;
    note(fmt::format("in {}: {} dispatches of {} events and lists; blocks of {} functions counted, {} of which ran",
                     library.library, library.coverage.dispatches, library.events.size(), library.counts.size(), ran));
}

}  // namespace

std::vector<std::string> driver_words(std::vector<std::string> words, const std::string &program) {
    for (std::string &word : words)
        for (size_t at = word.find("{}"); at != std::string::npos; at = word.find("{}", at + program.size()))
            word.replace(at, 2, program);
    return words;
}

namespace {

// What was run, as a person would type it.
std::string command_of(const RecordingRequest &request) {
    std::vector<std::string> command{request.program};
    if (request.driver)
        command.clear();
    command.insert(command.end(), request.arguments.begin(), request.arguments.end());
    return shell_command(command);
}

Result<Recording> record_by_units(const RecordingRequest &request) {
    if (!request.libraries.empty())
        return fail(ErrorCode::usage, "--thinlto records the program alone: leave out --library");
    const auto twin = make_twin(request.program, request.objects, true);
    if (!twin)
        return twin.error();
    if (twin->linked_now)
        note(fmt::format("linked an instrumented twin of {} ({})", request.program, twin->path));
    record::RunRequest run = run_request(request, *twin);
    run.note = {std::filesystem::absolute(request.program).string(), twin->original.program.build_id,
                command_of(request), ""};
    const record::Recorded of{request.program, run.note.build_id, run.note.command};
    return record_units(*twin, std::move(run), of);
}

}  // namespace

Result<Recording> record_program(const RecordingRequest &request) {
    if (request.by_units)
        return record_by_units(request);
    const auto libraries = libraries_of(request.program, request.libraries);
    if (!libraries)
        return libraries.error();
    std::vector<std::string> paths;
    for (const Library &library : *libraries)
        paths.push_back(library.path);
    const auto twins = make_twins(request.program, request.objects, paths);
    if (!twins)
        return twins.error();
    tell_link(twins->program, request.program);
    for (const Twin &library : twins->libraries)
        tell_link(library, library.original.path);
    const auto replaced = replaced_by_twins(*twins);
    if (!replaced)
        return replaced.error();
    record::RunRequest run = run_request(request, twins->program);
    run.parts = twins->parts();
    if (*replaced)
        std::ranges::copy((*replaced)->environment(), std::back_inserter(run.environment));
    run.note = {std::filesystem::absolute(request.program).string(), twins->program.original.program.build_id,
                command_of(request), absolute_lines(paths)};
    const auto done = record::run_twin(run);
    if (!done)
        return done.error();
    if (*replaced)
        tell_left_as_they_are(**replaced, paths);
    return recording_of(*twins, *done, {request.program, run.note.build_id, run.note.command});
}

Result<Recording> recover_recording(const record::Folder &folder, const std::string &objects) {
    const auto note = folder.note();
    if (!note)
        return note.error();
    const auto twins = make_twins(note->program, objects, lines_of(note->libraries));
    if (!twins)
        return twins.error();
    const std::string &build_id = twins->program.original.program.build_id;
    if (build_id != note->build_id)
        return fail(ErrorCode::does_not_fit, "{} has been built again since {} was recorded (build id {}, was {})",
                    note->program, folder.path(), build_id, note->build_id);
    record::Run run;
    record::read_raw_folder(folder.path(), twins->parts(), run);
    record::note_left_behind(folder.path(), twins->program.path, run);
    return recording_of(*twins, run, {note->program, note->build_id, note->command});
}

void tell_folders_left_behind() {
    for (const std::string &folder : record::folders_left_behind())
        note(fmt::format("a recording that was killed is in {}: thalweg record --recover {} -o FILE", folder,
                         shell_word(folder)));
}

void tell_end(const Recording &recording) {
    if (recording.exit_code != 0 && !recording.interrupted)
        note(fmt::format("the recorded run ended with {}: if it failed early, the profile is of that",
                         recording.exit_code));
}

static bool tell_units(const model::Profile &profile) {
    if (tell_counts(profile))
        return true;
    note(
        "WARNING: NOTHING WAS RECORDED: a process counts when it ends by exit, and each that ran was ended by a signal "
        "or by _exit, could not write to the folder for its counts (TMPDIR), or was not the instrumented twin (a "
        "command that runs the program must start $THALWEG_PROGRAM)");
    return false;
}

bool tell_recording(const Recording &recording) {
    const model::Profile &profile = recording.profile;
    const model::Coverage &coverage = profile.coverage;
    for (const std::string &problem : recording.problems)
        note("WARNING: " + problem);
    tell_end(recording);
    if (coverage.lost > 0)
        note(fmt::format("WARNING: {} dispatches or calls were lost: the recorder's tables, or the disk under TMPDIR, "
                         "were too small for them, or the program gave up the rights to write there and did more than "
                         "the recorder's reserve holds; counts are too low by as many",
                         coverage.lost));
    if (recording.by_units)
        return tell_units(profile);
    if (coverage.processes == 0) {
        note("WARNING: NOTHING WAS RECORDED: the instrumented twin never ran, or could not write its files (TMPDIR "
             "names "
             "their folder); a command that runs the program must start $THALWEG_PROGRAM");
        return false;
    }
    tell_guards(profile);
    for (const model::Profile &library : profile.libraries)
        tell_library(library);
    if (recording.of_optimized) {
        if (profile.guards.empty())
            note("WARNING: NOTHING WAS RECORDED: this program was optimised, and its plan left no guard to count");
        return !profile.guards.empty();
    }
    const bool counts = tell_counts(profile);
    const bool computations = tell_computations(profile);
    const bool facts = tell_facts(profile);
    const bool system_calls = tell_system_calls(profile);
    const bool output = tell_output(profile);
    const bool blocks = tell_blocks(profile);
    if (coverage.dispatches == 0 && (facts || computations || system_calls || output || blocks)) {
        if (const size_t sites = count_of_dispatch_sites(profile); sites != 0)
            note(fmt::format("no dispatch ran at any of the program's {} dispatch sites", sites));
        return true;
    }
    if (coverage.dispatches == 0 && !recording.problems.empty()) {
        note("WARNING: NOTHING WAS RECORDED, for the reason above");
        return false;
    }
    if (coverage.dispatches == 0 && counts) {
        note(fmt::format(
            "no dispatch ran at any of the program's {} dispatch sites: there is nothing to record but that",
            count_of_dispatch_sites(profile)));
        return true;
    }
    if (coverage.dispatches == 0) {
        note(fmt::format("WARNING: NOTHING WAS RECORDED: no dispatch ran at any of the program's {} dispatch sites",
                         count_of_dispatch_sites(profile)));
        return false;
    }
    const uint64_t estimates = static_cast<uint64_t>(std::count_if(
        profile.events.begin(), profile.events.end(), [](const model::Event &event) { return event.error != 0; }));
    note(fmt::format("{} dispatches of {} events and lists, {} noted in full; {}; {} processes, {} threads",
                     coverage.dispatches, profile.events.size(), coverage.recorded,
                     coverage.recorded == coverage.dispatches ? "all counts are exact"
                     : estimates == 0                         ? "all events' counts are exact"
                                      : fmt::format("the counts of {} events are estimates", estimates),
                     coverage.processes, coverage.threads));
    return true;
}

}  // namespace thalweg::driver
