// measure: one run of a program as a child process.
#include "measure/child.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/interruption.h"
#include "base/process.h"
#include "measure/descriptor.h"

namespace thalweg::measure {
namespace {

using Clock = std::chrono::steady_clock;

// In the child, between fork and exec: only calls that are safe there. `report` is told errno when exec fails.
[[noreturn]] void become(const char *program, char **argv, char **environment, const sigset_t &mask,
                         const int (&streams)[3], int report) {
    setpgid(0, 0);
    sigprocmask(SIG_SETMASK, &mask, nullptr);
    prctl(PR_SET_PDEATHSIG, SIGKILL);  // whoever interrupts us interrupts the measured program
    bool ready = true;
    for (int i = 0; i < 3; ++i) {
        ready = ready && dup2(streams[i], i) == i;
    }
    if (ready) {
        execvpe(program, argv, environment);
    }
    const int error = errno;
    if (write(report, &error, sizeof error) != sizeof error) {
        _exit(126);
    }
    _exit(127);
}

double seconds(const timeval &time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
}

// Waits for the child's end, at most until the deadline. False: time is up, or we are interrupted.
bool wait_until(int pidfd, double timeout_s, Clock::time_point start) {
    if (timeout_s <= 0) {
        return wait_readable(pidfd);
    }
    while (!interrupted()) {
        const double left_s = timeout_s - std::chrono::duration<double>(Clock::now() - start).count();
        if (left_s <= 0) {
            return false;
        }
        constexpr double longest_ms = 1e9;  // poll takes an int
        if (wait_readable(pidfd, static_cast<int>(std::min(left_s * 1000 + 1, longest_ms)))) {
            return true;
        }
    }
    return false;
}

// How long the first thread of a process that has ended, and that nobody has waited for, was kept from running by others: the second number of
// its schedstat (Linux, Documentation/scheduler/sched-stats.rst), in nanoseconds.
double queued_s(pid_t process) {
    const Result<std::string> text = read_file(fmt::format("/proc/{}/schedstat", process));
    unsigned long long ran_ns = 0;
    unsigned long long queued_ns = 0;
    const bool is_told = text && std::sscanf(text->c_str(), "%llu %llu", &ran_ns, &queued_ns) == 2;
    return is_told ? static_cast<double>(queued_ns) * 1e-9 : 0;
}

ChildRun finish(pid_t child, const Command &command, Clock::time_point start) {
    ChildRun run;
    Descriptor pidfd(static_cast<int>(syscall(SYS_pidfd_open, child, 0)));
    const bool ended = wait_until(pidfd.number(), command.timeout_s, start);
    run.timed_out = !ended && !interrupted();
    const auto end = Clock::now();
    if (!ended) {
        kill(-child, SIGKILL);
    }
    run.times.queued_s = ended ? queued_s(child) : 0;
    int status = 0;
    rusage usage = {};
    while (wait4(child, &status, 0, &usage) < 0 && errno == EINTR) {
    }
    kill(-child, SIGKILL);  // what the leader left behind
    run.times.wall_s = std::chrono::duration<double>(end - start).count();
    run.times.user_s = seconds(usage.ru_utime);
    run.times.system_s = seconds(usage.ru_stime);
    run.times.max_rss_kib = static_cast<uint64_t>(usage.ru_maxrss);
    run.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    run.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
    return run;
}

}  // namespace

std::string ending_of(const ChildRun &run) {
    if (run.timed_out) {
        return "killed when its time was up";
    }
    if (run.signal != 0) {
        return fmt::format("signal {} ({})", run.signal, strsignal(run.signal));
    }
    return fmt::format("exit {}", run.exit_code);
}

Result<ChildRun> run_child(const Command &command, const std::string &stdout_path, const std::string &stderr_path) {
    if (command.argv.empty()) {
        return fail(ErrorCode::usage, "there is no command to run");
    }
    const std::string stdin_path = command.stdin_path.empty() ? "/dev/null" : command.stdin_path;
    Descriptor input(open(stdin_path.c_str(), O_RDONLY | O_CLOEXEC));
    if (input.number() < 0) {
        return fail(ErrorCode::usage, "cannot read {}: {}", stdin_path, strerror(errno));
    }
    constexpr int flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC;
    Descriptor output(open(stdout_path.c_str(), flags, 0600));
    Descriptor error_output(open(stderr_path.c_str(), flags, 0600));
    int ends[2];
    if (output.number() < 0 || error_output.number() < 0 || pipe2(ends, O_CLOEXEC) != 0) {
        return fail(ErrorCode::environment, "cannot capture output in {}: {}", stdout_path, strerror(errno));
    }
    Descriptor told(ends[0]);
    Descriptor teller(ends[1]);

    const std::string program = command.program.empty() ? command.argv[0] : command.program;
    const std::vector<std::string> environment = environment_with(command.environment);
    std::vector<char *> argv = argument_vector(command.argv);
    std::vector<char *> envp = argument_vector(environment);
    const int streams[3] = {input.number(), output.number(), error_output.number()};
    const sigset_t mask = mask_for_programs();
    const auto start = Clock::now();
    const pid_t child = fork();
    if (child < 0) {
        return fail(ErrorCode::environment, "cannot start a process: {}", strerror(errno));
    }
    if (child == 0) {
        become(program.c_str(), argv.data(), envp.data(), mask, streams, teller.number());
    }
    setpgid(child, child);  // as the child does: whoever comes first
    teller.reset();
    int error = 0;
    const bool started = read(told.number(), &error, sizeof error) == 0;
    const ChildRun run = finish(child, command, start);
    if (!started) {
        return fail(ErrorCode::usage, "cannot run {}: {}", program, strerror(error));
    }
    if (interrupted()) {
        return interruption(program + " ran");
    }
    return run;
}

}  // namespace thalweg::measure
