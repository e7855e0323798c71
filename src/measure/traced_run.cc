// measure: one run of a program in our place, its system calls counted.
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>

#include <fcntl.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

#include "base/process.h"
#include "base/signal_queue.h"
#include "measure/call_tracer.h"
#include "measure/descriptor.h"
#include "measure/ended_run.h"

namespace thalweg::measure {

namespace {

// In the child, between fork and exec: only calls that are safe there. It waits until it is traced.
[[noreturn]] void become(char **argv, char **environment, const sigset_t &mask, int go, int tell) {
    ::pthread_sigmask(SIG_SETMASK, &mask, nullptr);
    char ignored = 0;
    if (::read(go, &ignored, 1) == 1)
        ::execvpe(argv[0], argv, environment);
    const int error = errno;
    if (::write(tell, &error, sizeof error) != sizeof error)
        ::_exit(126);
    ::_exit(127);
}

struct End {
    int status = 0;
    rusage usage{};
};

End trace(CallTracer &tracer, const SignalQueue &queue, pid_t root, const Stopwatch &stopwatch, ProcessTree &tree) {
    constexpr double us = 1e-6;
    constexpr auto period_us = static_cast<uint64_t>(sample_period_s / us);
    uint64_t next_look_us = period_us;
    while (true) {
        if (stopwatch.elapsed_us() >= next_look_us) {
            tree.look(stopwatch.elapsed_us());
            next_look_us = stopwatch.elapsed_us() + period_us;
        }
        End end;
        const pid_t thread = ::wait4(-1, &end.status, __WALL | WNOHANG, &end.usage);
        if (thread == root && !WIFSTOPPED(end.status))
            return end;
        if (thread > 0) {
            if (tracer.take(thread, end.status)) {
                tree.last_look(stopwatch.elapsed_us());
                ::ptrace(PTRACE_CONT, thread, nullptr, nullptr);
            }
            continue;
        }
        if (thread < 0 && errno == ECHILD)
            return end;
        const uint64_t now_us = stopwatch.elapsed_us();
        const auto info = queue.next_within(static_cast<double>(next_look_us - std::min(now_us, next_look_us)) * us);
        if (info && info->si_signo != SIGCHLD)
            hand_on(*info, root);
    }
}

Error cannot_trace(int problem, pid_t child) {
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    std::string scope;
    std::ifstream("/proc/sys/kernel/yama/ptrace_scope") >> scope;
    return fail(ErrorCode::environment,
                "its calls cannot be counted: ptrace says: {}{}; without --calls it needs no ptrace",
                std::strerror(problem), scope == "3" ? " (kernel.yama.ptrace_scope is 3)" : "");
}

}  // namespace

Result<model::Workload> run_counting_calls(const std::vector<std::string> &command) {
    int go[2], told[2];
    if (::pipe2(go, O_CLOEXEC) != 0)
        return fail(ErrorCode::environment, "cannot make a pipe: {}", std::strerror(errno));
    const Descriptor wait_end(go[0]), go_end(go[1]);
    if (::pipe2(told, O_CLOEXEC) != 0)
        return fail(ErrorCode::environment, "cannot make a pipe: {}", std::strerror(errno));
    const Descriptor told_end(told[0]);
    Descriptor tell_end(told[1]);
    const SignalQueue queue;
    const std::vector<std::string> environment = environment_with({});
    std::vector<char *> argv = argument_vector(command);
    std::vector<char *> envp = argument_vector(environment);
    const pid_t child = ::fork();
    if (child < 0)
        return fail(ErrorCode::environment, "cannot start a process: {}", std::strerror(errno));
    if (child == 0) {
        ::close(go_end.number());
        become(argv.data(), envp.data(), queue.before(), wait_end.number(), tell_end.number());
    }
    tell_end.reset();
    CallTracer tracer(child);
    if (const int problem = tracer.seize(); problem != 0)
        return cannot_trace(problem, child);
    const Stopwatch stopwatch;
    ProcessTree tree(child);
    if (::write(go_end.number(), "g", 1) != 1)
        return cannot_trace(errno, child);
    const End end = trace(tracer, queue, child, stopwatch, tree);
    const uint64_t real_us = stopwatch.elapsed_us();
    const size_t lost = tracer.release_all();
    int problem = 0;
    if (::read(told_end.number(), &problem, sizeof problem) == sizeof problem)
        return fail(ErrorCode::environment, "cannot start {}: {}", command[0], std::strerror(problem));
    if (!tracer.refusal().empty())
        return fail(ErrorCode::environment, "the calls of {} cannot be counted: {}", command[0], tracer.refusal());
    model::Workload workload = workload_of(end.status, end.usage, real_us, tree);
    workload.command = command;
    tracer.add_to(workload);
    if (lost != 0)
        workload.problems.push_back(
            fmt::format("{} threads of what it left behind did not stop to be let go, and were ended", lost));
    return workload;
}

}  // namespace thalweg::measure
