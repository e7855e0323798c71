// measure: one run of a program in our place, and what it used.
#include "measure/workload.h"

#include <cerrno>
#include <cstring>

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/process.h"
#include "base/signal_queue.h"
#include "measure/ended_run.h"

namespace thalweg::measure {

namespace {

uint64_t microseconds(const timeval &time) {
    return static_cast<uint64_t>(time.tv_sec) * 1000000 + static_cast<uint64_t>(time.tv_usec);
}

uint64_t count(long value) { return value < 0 ? 0 : static_cast<uint64_t>(value); }

bool has_ended(pid_t child) {
    siginfo_t info{};
    return ::waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid == child;
}

// Looks at the program every now and then until it has ended; nobody has waited for it yet when this comes back.
void watch(const SignalQueue &queue, pid_t child, const Stopwatch &watch, ProcessTree &tree) {
    constexpr double us = 1e-6;
    double next_look_s = sample_period_s;
    while (!has_ended(child)) {
        const double now_s = static_cast<double>(watch.elapsed_us()) * us;
        if (now_s >= next_look_s) {
            tree.look(watch.elapsed_us());
            next_look_s = static_cast<double>(watch.elapsed_us()) * us + sample_period_s;
            continue;
        }
        const auto info = queue.next_within(next_look_s - now_s);
        if (info && info->si_signo != SIGCHLD)
            hand_on(*info, child);
    }
}

}  // namespace

model::Workload workload_of(int status, const rusage &usage, uint64_t real_us, const ProcessTree &tree) {
    model::Workload workload;
    workload.signal = WIFSIGNALED(status) ? static_cast<uint32_t>(WTERMSIG(status)) : 0;
    workload.exit_code = WIFSIGNALED(status) ? 128 + workload.signal : static_cast<uint32_t>(WEXITSTATUS(status));
    workload.real_us = real_us;
    workload.usage = {microseconds(usage.ru_utime), microseconds(usage.ru_stime), count(usage.ru_minflt),
                      count(usage.ru_majflt),       count(usage.ru_nvcsw),        count(usage.ru_nivcsw),
                      count(usage.ru_inblock),      count(usage.ru_oublock),      count(usage.ru_maxrss)};
    if (const auto &root = tree.root()) {
        workload.children.user_us = root->children_user_us;
        workload.children.system_us = root->children_system_us;
        workload.children.minor_faults = root->children_minor_faults;
        workload.children.major_faults = root->children_major_faults;
    }
    workload.ready_us = tree.ready_us();
    workload.samples = tree.samples();
    workload.threads = tree.threads();
    if (tree.left_out_any())
        workload.problems.push_back(
            fmt::format("there were more than {} threads: the others are in the sums alone", model::max_threads_told));
    return workload;
}

Result<model::Workload> run_workload(const WorkloadRequest &request) {
    if (request.command.empty())
        return fail(ErrorCode::usage, "there is no command to run");
    if (request.calls)
        return run_counting_calls(request.command);
    const SignalQueue queue;
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    posix_spawnattr_setsigmask(&attributes, &queue.before());
    const auto environment = environment_with({});
    pid_t child = 0;
    const Stopwatch stopwatch;
    const int problem = ::posix_spawnp(&child, request.command[0].c_str(), nullptr, &attributes,
                                       argument_vector(request.command).data(), argument_vector(environment).data());
    posix_spawnattr_destroy(&attributes);
    if (problem != 0)
        return fail(ErrorCode::environment, "cannot start {}: {}", request.command[0], std::strerror(problem));
    ProcessTree tree(child);
    watch(queue, child, stopwatch, tree);
    const uint64_t real_us = stopwatch.elapsed_us();
    tree.last_look(real_us);
    int status = 0;
    rusage usage{};
    while (::wait4(child, &status, 0, &usage) < 0 && errno == EINTR) {
    }
    model::Workload workload = workload_of(status, usage, real_us, tree);
    workload.command = request.command;
    return workload;
}

}  // namespace thalweg::measure
