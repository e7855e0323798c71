// measure: one run of a program in our place, and in which of its functions it spent the time.
#include "measure/functions.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string_view>

#include <linux/perf_event.h>
#include <seccomp.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/file.h"
#include "base/temporary.h"
#include "measure/callgrind_file.h"
#include "measure/child.h"
#include "measure/descriptor.h"
#include "measure/perf_script.h"
#include "measure/valgrind.h"
#include "measure/workload.h"

namespace thalweg::measure {

namespace {

namespace fs = std::filesystem;
using model::FunctionProfile;
using Words = std::vector<std::string>;

std::string first_line(const std::string &path) {
    const auto text = read_file(path);
    return text ? text->substr(0, text->find('\n')) : std::string();
}

// A command to its end, its output in files of the folder; an error in its own words where it fails.
Status run_tool(const TemporaryFolder &folder, const Words &words, const std::string &output) {
    const auto run = run_child({.argv = words}, output, folder.file("errors"));
    if (!run)
        return run.error();
    if (run->exit_code == 0 && run->signal == 0)
        return Done{};
    return fail(ErrorCode::environment, "{} {}: {}, {}", words[0], words[1], ending_of(*run),
                first_line(folder.file("errors")));
}

Words perf_record(const std::string &data, const Words &command) {
    // perf's own choice of an event differs from machine to machine; this one is there on all, and is time.
    Words words = {"perf",
                   "record",
                   "-q",
                   "-e",
                   "cpu-clock",
                   "-F",
                   std::to_string(samples_per_second),
                   "--call-graph",
                   fmt::format("dwarf,{}", stack_bytes),
                   "-o",
                   data,
                   "--"};
    words.insert(words.end(), command.begin(), command.end());
    return words;
}

Status script_of(const TemporaryFolder &folder, const std::string &data, const std::string &text) {
    return run_tool(
        folder, {"perf", "script", "-i", data, "--no-inline", "--no-demangle", "-F", std::string(perf_script_fields)},
        text);
}

Result<FunctionProfile> run_under_perf(const Words &command) {
    const auto made = TemporaryFolder::make("functions");
    if (!made)
        return made.error();
    const TemporaryFolder &folder = *made;
    const auto workload = run_workload({perf_record(folder.file("data"), command)});
    if (!workload)
        return workload.error();
    const Status told = script_of(folder, folder.file("data"), folder.file("script"));
    if (!told)
        return told.error();
    const auto text = read_file(folder.file("script"));
    if (!text)
        return text.error();
    FunctionProfile profile{.exit_code = workload->exit_code};
    if (const Status read = read_perf_script(*text, profile); !read)
        return read.error();
    return profile;
}

Result<FunctionProfile> run_under_callgrind(const Words &command) {
    const auto made = TemporaryFolder::make("functions");
    if (!made)
        return made.error();
    const TemporaryFolder &folder = *made;
    Words words = {"valgrind",
                   "-q",
                   "--tool=callgrind",
                   "--trace-children=yes",
                   fmt::format("--callgrind-out-file={}/%p.out", folder.path()),
                   fmt::format("--log-file={}/%p.log", folder.path()),
                   "--demangle=no",
                   fmt::format("--separate-callers={}", callers_kept),
                   "--"};
    words.insert(words.end(), command.begin(), command.end());
    const auto workload = run_workload({words});
    if (!workload)
        return workload.error();
    std::vector<fs::path> files;
    for (const auto &entry : fs::directory_iterator(folder.path()))
        if (entry.path().extension() == ".out" && entry.file_size() != 0)
            files.push_back(entry.path());
    std::ranges::sort(files);
    FunctionProfile profile{.exit_code = workload->exit_code, .tool = "callgrind"};
    profile.unit = model::CostUnit::instructions;
    if (const std::string why = why_valgrind_gave_up(folder, command[0]); files.empty() && !why.empty())
        return fail(ErrorCode::environment, "{}", why);
    if (files.empty())
        profile.problems.emplace_back("callgrind wrote nothing: the program was killed");
    for (const fs::path &file : files) {
        const auto text = read_file(file.string());
        if (!text)
            return text.error();
        if (const Status read = read_callgrind(*text, profile); !read)
            return read.error();
    }
    return profile;
}

bool can_run(const std::string &name) {
    const auto is_program = [](const std::string &path) {
        return ::access(path.c_str(), X_OK) == 0 && fs::is_regular_file(path);
    };
    if (name.find('/') != name.npos)
        return is_program(name);
    const auto tried = run_child({.argv = {"/bin/sh", "-c", "command -v -- \"$0\"", name}}, "/dev/null", "/dev/null");
    return tried && tried->exit_code == 0;
}

// ---- the library's functions for system calls ----

bool is_kernel(std::string_view object) { return object.starts_with("[kernel") || object.starts_with("[guest"); }

bool is_c_library(std::string_view object) {
    object = object.substr(object.rfind('/') + 1);
    return object.starts_with("libc.") || object.starts_with("libc-") || object.starts_with("ld-");
}

// "__GI___libc_write", "__fstat64", "read_nocancel": glibc's several names of one function.
std::string plain(std::string_view name) {
    for (const std::string_view front : {"__GI_", "__libc_", "__"})
        if (name.starts_with(front))
            name.remove_prefix(front.size());
    if (name.starts_with("libc_"))
        name.remove_prefix(5);
    for (const std::string_view back : {"_nocancel", "64"})
        if (name.ends_with(back))
            name.remove_suffix(back.size());
    return std::string(name);
}

// The call's name; empty: it is no call's. exit is one, but libc's function of that name first does the program's own work.
std::string call_named(std::string_view function) {
    for (const std::string &name : {std::string(function), plain(function)})
        if (name != "exit" && seccomp_syscall_resolve_name(name.c_str()) >= 0)
            return name;
    return {};
}

}  // namespace

void note_system_calls(FunctionProfile &profile) {
    std::vector<bool> enters_kernel(profile.functions.size());
    for (const model::CallNode &node : profile.nodes)
        if (node.parent != model::none && is_kernel(profile.functions[node.function].object))
            enters_kernel[profile.nodes[node.parent].function] = true;
    for (size_t i = 0; i < profile.functions.size(); ++i) {
        model::CodeFunction &function = profile.functions[i];
        if (is_kernel(function.object) || (!enters_kernel[i] && !is_c_library(function.object)))
            continue;
        if (std::string call = call_named(function.name); !call.empty())
            function.roles.push_back({model::FunctionRole::system_call, std::move(call), 0});
    }
}

// The kernel is asked for what perf asks it for, for perf itself takes a second to start and to end.
std::string why_no_perf() {
    perf_event_attr what{};
    what.size = sizeof what;
    what.type = PERF_TYPE_SOFTWARE;
    what.config = PERF_COUNT_SW_CPU_CLOCK;
    what.exclude_kernel = 1;
    what.disabled = 1;
    const Descriptor event(static_cast<int>(::syscall(SYS_perf_event_open, &what, 0, -1, -1, PERF_FLAG_FD_CLOEXEC)));
    if (event.number() < 0)
        return fmt::format("the kernel says: {} (kernel.perf_event_paranoid, or a container's rules)",
                           std::strerror(errno));
    const auto perf = run_child({.argv = {"perf", "--version"}}, "/dev/null", "/dev/null");
    if (!perf)
        return perf.error().message;
    return perf->exit_code == 0 ? "" : fmt::format("`perf --version`: {}", ending_of(*perf));
}

Result<FunctionProfile> run_functions(const FunctionsRequest &request) {
    if (request.command.empty())
        return fail(ErrorCode::usage, "there is no command to run");
    if (!can_run(request.command[0]))
        return fail(ErrorCode::environment, "cannot start {}: there is no such program", request.command[0]);
    std::string no_perf;
    if (request.tool != ProfilingTool::callgrind)
        no_perf = why_no_perf();
    if (request.tool == ProfilingTool::perf && !no_perf.empty())
        return fail(ErrorCode::environment, "perf does not work here: {}", no_perf);
    const bool with_perf = request.tool != ProfilingTool::callgrind && no_perf.empty();
    if (!with_perf && !can_run("valgrind"))
        return fail(ErrorCode::environment, "{}{}valgrind is not there: install the package linux-perf or valgrind",
                    no_perf, no_perf.empty() ? "" : "; ");
    auto profile = with_perf ? run_under_perf(request.command) : run_under_callgrind(request.command);
    if (!profile)
        return profile;
    profile->command = request.command;
    if (!with_perf && request.tool == ProfilingTool::whichever_works)
        profile->problems.push_back(
            fmt::format("callgrind counted instructions, for perf does not work here: {}", no_perf));
    note_system_calls(*profile);
    return profile;
}

}  // namespace thalweg::measure
