// record: one run of the instrumented twin, and what it left behind.
#include "record/run.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <thread>
#include <tuple>

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/interruption.h"
#include "base/process.h"
#include "base/signal_queue.h"

namespace thalweg::record {

namespace {

namespace fs = std::filesystem;

Status make_part(const std::string &folder) {
    std::error_code problem;
    fs::create_directory(folder, problem);
    return problem ? Status(fail(ErrorCode::environment, "cannot make the folder {}: {}", folder, problem.message()))
                   : Status(Done{});
}

// How a run ended.
struct End {
    int exit_code = 0;
    bool interrupted = false;
};

End wait_and_forward(const SignalQueue &queue, pid_t child) {
    End end;
    while (true) {
        const siginfo_t info = queue.next();
        int status = 0;
        if (info.si_signo == SIGCHLD) {
            if (::waitpid(child, &status, WNOHANG) != child)
                continue;
            end.exit_code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
            return end;
        }
        end.interrupted = end.interrupted || is_interruption(info.si_signo);
        hand_on(info, child);
    }
}

Result<End> run_child(const RunRequest &request, const std::string &folder) {
    const SignalQueue queue;
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    posix_spawnattr_setsigmask(&attributes, &queue.before());
    auto added = request.environment;
    added.emplace_back(raw::directory_variable, folder);
    const auto environment = environment_with(added);
    pid_t child = 0;
    const int problem = ::posix_spawnp(&child, request.executable.c_str(), nullptr, &attributes,
                                       argument_vector(request.words).data(), argument_vector(environment).data());
    posix_spawnattr_destroy(&attributes);
    if (problem != 0)
        return fail(ErrorCode::environment, "cannot start {}: {}", request.executable, std::strerror(problem));
    return wait_and_forward(queue, child);
}

void note_failures(const std::vector<RawFile> &files, Run &run) {
    for (const RawFile &file : files) {
        if (file.header.failure != 0)
            run.problems.push_back(
                fmt::format("process {} stopped recording: {}; TMPDIR names the folder for its files", file.header.pid,
                            std::strerror(static_cast<int>(file.header.failure & INT32_MAX))));
        else if (file.header.threads_without_chunk != 0)
            run.problems.push_back(
                fmt::format("process {} had more threads at a time than are recorded", file.header.pid));
    }
}

// Not one that has ended and that nobody has waited for.
bool is_running(uint32_t process) {
    const auto stat = read_file(fmt::format("/proc/{}/stat", process));
    if (!stat)
        return false;
    const size_t name_end = stat->rfind(") ");
    return name_end != std::string::npos && (*stat)[name_end + 2] != 'Z';
}

// A chunk that became a larger one is there twice if the process was killed just then.
void drop_replaced(std::vector<RawFile> &files) {
    using Chunk = std::tuple<uint32_t, uint64_t, uint32_t>;
    const auto chunk_of = [](const RawFile &file) {
        return Chunk(file.header.pid, file.header.process_start_ns, file.header.chunk_index);
    };
    std::map<Chunk, uint32_t> latest;
    for (const RawFile &file : files)
        if (file.header.kind == raw::chunk_file)
            latest[chunk_of(file)] = std::max(latest[chunk_of(file)], file.header.generation);
    std::erase_if(files, [&](const RawFile &file) {
        return file.header.kind == raw::chunk_file && file.header.generation < latest[chunk_of(file)];
    });
}

// Of a reserve, which is sparse, what is used.
Result<std::string> read_used(const std::string &path) {
    std::ifstream file(path, std::ios::binary);
    std::string bytes(raw::reserve_page, '\0');
    file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    const std::optional<uint64_t> used = used_of_reserve({bytes.data(), static_cast<size_t>(file.gcount())});
    if (!used)
        return read_file(path);
    if (*used <= bytes.size())
        return bytes;
    bytes.resize(*used);
    file.read(bytes.data() + raw::reserve_page, static_cast<std::streamsize>(bytes.size() - raw::reserve_page));
    bytes.resize(raw::reserve_page + static_cast<size_t>(file.gcount()));
    return bytes;
}

std::vector<RawFile> files_in(const std::string &folder, Run &run) {
    std::error_code problem;
    std::vector<std::string> paths;
    for (const auto &entry : fs::directory_iterator(folder, problem))
        if (entry.path().extension() == raw::file_ending)
            paths.push_back(entry.path().string());
    std::sort(paths.begin(), paths.end());
    std::vector<RawFile> files;
    for (const std::string &path : paths) {
        const auto bytes = read_used(path);
        if (!bytes) {
            run.problems.push_back(fmt::format("{}: {}", path, bytes.error().message));
            continue;
        }
        for (const std::string_view part : raw_files_in(*bytes))
            if (auto file = read_raw_file(part))
                files.push_back(std::move(*file));
            else
                run.problems.push_back(fmt::format("{}: {}", path, file.error().message));
    }
    drop_replaced(files);
    note_failures(files, run);
    return files;
}

}  // namespace

void read_raw_folder(const std::string &folder, const std::vector<std::string> &parts, Run &run) {
    run.files = files_in(folder, run);
    for (const std::string &part : parts)
        run.parts.push_back(files_in(folder + "/" + part, run));
}

namespace {

// For a child of a program that has just ended to come from fork to exec: its turn among ten others, at the 10 ms that the kernel gives each at most where
// it ticks 100 times a second. A process that stays is there afterwards, too.
constexpr std::chrono::milliseconds time_to_start_another{100};

// Another program that took the process over is not recorded anyhow.
bool runs(const std::string &process, const std::string &twin) {
    std::error_code problem;
    return fs::equivalent(fmt::format("/proc/{}/exe", process), twin, problem);
}

// Those of the twin that were told to record into the folder, also where they have had no time yet to do so: a daemon's parent ends at once.
std::set<uint32_t> processes_of(const std::string &folder, const std::string &twin) {
    const std::string told = fmt::format("{}={}{}", raw::directory_variable, folder, '\0');
    std::set<uint32_t> found;
    std::error_code problem;
    for (const auto &entry : fs::directory_iterator("/proc", problem)) {
        const std::string name = entry.path().filename();
        if (name.find_first_not_of("0123456789") != std::string::npos)
            continue;
        if (!runs(name, twin))
            continue;
        if (const auto environment = read_file(entry.path() / "environ");
            environment && environment->find(told) != std::string::npos)
            found.insert(static_cast<uint32_t>(std::stoul(name)));
    }
    return found;
}

}  // namespace

void note_left_behind(const std::string &folder, const std::string &twin, Run &run) {
    std::set<uint32_t> processes = processes_of(folder, twin);
    for (const RawFile &file : run.files)
        processes.insert(file.header.pid);
    std::erase_if(processes, [](uint32_t process) { return !is_running(process); });
    if (!processes.empty())
        std::this_thread::sleep_for(time_to_start_another);
    for (const uint32_t process : processes)
        if (is_running(process) && runs(std::to_string(process), twin))
            run.problems.push_back(fmt::format(
                "process {} was still running when the program had ended: what it does from then on is not recorded; "
                "let it stay in the foreground, or record a command that starts, uses and ends it (--program)",
                process));
}

Result<Run> run_twin(const RunRequest &request) {
    const auto folder = Folder::make(request.note);
    if (!folder)
        return folder.error();
    if (request.exact)
        if (const Status status = write_file(folder->path() + "/" + raw::exact_marker, ""); !status)
            return status.error();
    for (const std::string &part : request.parts)
        if (const Status status = make_part(folder->path() + "/" + part); !status)
            return status.error();
    const auto end = run_child(request, folder->path());
    if (!end)
        return end.error();
    Run run;
    run.exit_code = end->exit_code;
    run.interrupted = end->interrupted;
    read_raw_folder(folder->path(), request.parts, run);
    note_left_behind(folder->path(), request.twin, run);
    return run;
}

}  // namespace thalweg::record
