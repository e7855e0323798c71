// cli: `thalweg doctor`, is everything here that is needed, and does it fit together?
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <system_error>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <sys/statvfs.h>
#include <thalweg/tame/io.h>
#include <unistd.h>

#include "base/file.h"
#include "base/process.h"
#include "base/temporary.h"
#include "base/utf8.h"
#include "cli/doctor.h"
#include "cli/verb.h"
#include "cli/verbs.h"
#include "job/job.h"
#include "link/relink.h"
#include "link/tools.h"
#include "model/plan.h"

namespace thalweg::cli {

namespace {

namespace fs = std::filesystem;

// The version that the plug-in was built against; another major version cannot load it.
constexpr std::string_view llvm_version = "19.";
// Raw files and links need room; a chunk of the recorder is 1.4 MB, a large program some hundreds.
constexpr uint64_t room_wanted = 512u << 20;

std::string first_line(const std::string &text) { return text.substr(0, text.find('\n')); }

// The LLVM tools tell their version in the first line or in the second.
std::string line_with_version(const std::string &text) {
    const size_t at = text.find("version ");
    if (at == std::string::npos)
        return first_line(text);
    const size_t begin = text.rfind('\n', at);
    return first_line(text.substr(begin == std::string::npos ? 0 : begin + 1));
}

Finding check_tool(const char *what, const std::string &path, const char *package) {
    const auto end = run_process({path, "--version"}, {.capture = true});
    if (!end || end->exit_code != 0)
        return {what, Health::problem, fmt::format("{} does not run", path),
                fmt::format("install the package {}", package)};
    const std::string line = line_with_version(end->output);
    if (end->output.find(llvm_version) == std::string::npos)
        return {what, Health::problem, line,
                fmt::format("version {}x is needed: install the package {}", llvm_version, package)};
    return {what, Health::ok, line, ""};
}

Finding check_file(const char *what, const std::string &path) {
    if (::access(path.c_str(), R_OK) == 0)
        return {what, Health::ok, fs::path(path).lexically_normal().string(), ""};
    return {what, Health::problem, fmt::format("{} cannot be read", path), "build or install Thalweg whole"};
}

std::string file_word(const char *path) {
    const auto text = read_file(path);
    return text ? first_line(*text) : std::string();
}

Finding check_perf() {
    const auto end = run_process({"perf", "--version"}, {.capture = true});
    if (!end || end->exit_code != 0)
        return {"perf", Health::remark, "not there",
                "only `thalweg functions` wants it, and takes valgrind else: install the package linux-perf"};
    const std::string paranoid = file_word("/proc/sys/kernel/perf_event_paranoid");
    const bool allowed = ::geteuid() == 0 || (!paranoid.empty() && std::atoi(paranoid.c_str()) <= 2);
    if (!allowed)
        return {"perf", Health::remark, fmt::format("forbidden (perf_event_paranoid is {})", paranoid),
                "sysctl kernel.perf_event_paranoid=2"};
    return {"perf", Health::ok, first_line(end->output), ""};
}

// As a program that is started from here would have it.
Finding check_io_uring() {
    try {
        const tame::io_choice chosen = tame::chosen_io();
        if (chosen.kind == tame::io_kind::io_uring)
            return {"io_uring", Health::ok, "allowed: loops use it", ""};
        return {"io_uring", Health::remark, fmt::format("loops use epoll: {}", chosen.reason),
                "sysctl kernel.io_uring_disabled=0, another container policy, or THALWEG_IO unset"};
    } catch (const std::system_error &error) {
        return {"io_uring", Health::problem, error.what(), "set THALWEG_IO to io_uring or epoll, or not at all"};
    }
}

Finding check_room() {
    const auto place = temporary_place();
    if (!place)
        return {"temporary files", Health::problem, place.error().message, "set TMPDIR"};
    const std::string &folder = *place;
    struct statvfs status{};
    if (::statvfs(folder.c_str(), &status) != 0 || ::access(folder.c_str(), W_OK) != 0)
        return {"temporary files", Health::problem, fmt::format("{}: {}", folder, std::strerror(errno)), "set TMPDIR"};
    const uint64_t room = static_cast<uint64_t>(status.f_bavail) * status.f_frsize;
    if (room < room_wanted)
        return {"temporary files", Health::remark, fmt::format("{} has {} MB left", folder, room >> 20),
                "make room, or set TMPDIR; a recording that finds none stops and says so"};
    return {"temporary files", Health::ok, fmt::format("{} has {} MB left", folder, room >> 20), ""};
}

// A program of three lines taken through the whole way: what fits together can only be told by doing it.
Status trial_in(const std::string &folder) {
    const std::string source = folder + "/trial.c";
    const std::string program = folder + "/trial";
    if (const Status status =
            write_file(source, "typedef int (*f)(void);\n"
                               "static int a(void) { return 0; }\n"
                               "volatile f list[2] = {a, a};\n"
                               "int main(void) { int r = 0; for (int i = 0; i < 2; ++i) r += list[i](); "
                               "return r; }\n");
        !status)
        return status;
    const std::string wrapper = link::wrapper_path();
    const auto built = run_process({wrapper, "-O2", "-o", program, source}, {.capture = true});
    if (!built || built->exit_code != 0)
        return fail(ErrorCode::environment, "{} failed: {}", wrapper,
                    built ? first_line(built->output) : built.error().message);
    const auto linked = link::read_linked_program(program);
    if (!linked)
        return linked.error();
    job::TransformJob job;
    job.site_table_path = folder + "/sites.json";
    if (const Status status = write_file(folder + "/job.json", job::write_job(job)); !status)
        return status;
    link::RelinkRequest request;
    request.output = folder + "/twin";
    request.plugin = link::plugin_path();
    request.job_path = folder + "/job.json";
    request.extra_inputs = {link::recorder_path()};
    if (const auto relinked = link::relink(linked->record, request); !relinked)
        return relinked.error();
    const auto ran = run_process({request.output}, {.capture = true});
    if (!ran || ran->exit_code != 0)
        return fail(ErrorCode::environment, "the twin of a trial program does not run");
    if (!fs::exists(job.site_table_path))
        return fail(ErrorCode::environment, "the linker did not load the plug-in");
    return Done{};
}

Finding check_trial() {
    const auto folder = TemporaryFolder::make("doctor");
    const Status status = folder ? trial_in(folder->path()) : Status(folder.error());
    if (status)
        return {"trial", Health::ok, "a small program was built, linked again with the plug-in, and ran", ""};
    return {"trial", Health::problem, status.error().message, "see the problems above; build or install Thalweg whole"};
}

std::vector<Finding> examine_machine() {
    return {check_tool("compiler", link::c_compiler, "clang-19"),
            check_tool("C++ compiler", link::cxx_compiler, "clang-19"),
            check_tool("linker", link::linker, "lld-19"),
            check_tool("objcopy", link::objcopy, "llvm-19"),
            check_file("plug-in", link::plugin_path()),
            check_file("compiler's plug-in", link::unit_plugin_path()),
            check_file("recorder", link::recorder_path()),
            check_file("crossings", link::crossing_path()),
            check_file("libraries", link::audit_path()),
            check_trial(),
            check_room(),
            check_perf(),
            check_io_uring()};
}

const char *word_of(Health health) {
    switch (health) {
    case Health::ok:
        return "ok";
    case Health::remark:
        return "note";
    case Health::problem:
        return "PROBLEM";
    }
    return "";
}

void print_finding(const Finding &finding) {
    const bool colours = colour_on_stdout();
    const char *colour = finding.health == Health::ok       ? "\033[32m"
                         : finding.health == Health::remark ? "\033[33m"
                                                            : "\033[31m";
    std::string line = fmt::format("{}{:<8}{} {:<16} {}\n", colours ? colour : "", word_of(finding.health),
                                   colours ? "\033[0m" : "", finding.what, without_controls(finding.text));
    if (!finding.advice.empty())
        line += fmt::format("{:<26}-> {}\n", "", without_controls(finding.advice));
    std::fputs(line.c_str(), stdout);
}

void print_text(const std::vector<Finding> &findings, const std::vector<ObjectFinding> &objects, bool all) {
    for (const Finding &finding : findings)
        print_finding(finding);
    for (const ObjectFinding &object : objects)
        if (all || object.health != Health::ok)
            print_finding({object.level.empty() ? "object" : "object " + object.level, object.health,
                           object.name + ": " + object.text, ""});
}

void print_json(const std::vector<Finding> &findings, const std::vector<ObjectFinding> &objects) {
    nlohmann::json checks = nlohmann::json::array();
    for (const Finding &finding : findings)
        checks.push_back({{"what", finding.what},
                          {"health", word_of(finding.health)},
                          {"text", finding.text},
                          {"advice", finding.advice}});
    nlohmann::json list = nlohmann::json::array();
    for (const ObjectFinding &object : objects)
        list.push_back({{"name", object.name},
                        {"health", word_of(object.health)},
                        {"bitcode", object.has_bitcode},
                        {"level", object.level},
                        {"text", object.text}});
    const nlohmann::json line = {{"checks", checks}, {"objects", list}};
    std::printf("%s\n", line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace).c_str());
}

bool any_problem(const std::vector<Finding> &findings) {
    for (const Finding &finding : findings)
        if (finding.health == Health::problem)
            return true;
    return false;
}

}  // namespace

int run_doctor(const Words &words) {
    CLI::App app("is everything here that is needed, and does it fit together? With a program: can it be recorded and "
                 "optimised?",
                 "thalweg doctor");
    std::string program;
    std::string folder;
    bool all = false;
    bool json = false;
    app.add_option("program", program, "a program that thalweg-cc linked");
    declare_objects(app, folder);
    app.add_flag("--all", all, "every object, not only those with something to say about");
    app.add_flag("--json", json, "the findings as JSON");
    app.footer("Exit: 7 when there is a problem.");
    if (const Parsed parsed(app, words); parsed.finished())
        return parsed.code();
    std::vector<Finding> findings = examine_machine();
    std::vector<ObjectFinding> objects;
    if (!program.empty())
        examine_program(program, folder, findings, objects);
    if (json)
        print_json(findings, objects);
    else
        print_text(findings, objects, all);
    if (any_problem(findings)) {
        note("there are problems; each line above says what to do");
        return static_cast<int>(ErrorCode::environment);
    }
    next_command(program.empty() ? "CC=thalweg-cc CXX=thalweg-c++ make"
                                 : fmt::format("thalweg record -- {}", shell_word(program)));
    return 0;
}

}  // namespace thalweg::cli
