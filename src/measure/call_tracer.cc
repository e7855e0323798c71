// measure: the system calls of a running program and of all that it starts, by ptrace.
#include "measure/call_tracer.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <fstream>
#include <thread>

#include <fmt/format.h>
#include <linux/audit.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

namespace thalweg::measure {

namespace {

using Clock = std::chrono::steady_clock;

uint64_t now_ns() {
    return static_cast<uint64_t>(
        std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now().time_since_epoch()).count());
}

// ptrace takes numbers where its types say pointers.
void *number(uintptr_t value) { return reinterpret_cast<void *>(value); }  // NOLINT(performance-no-int-to-ptr)

constexpr uintptr_t options = PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACECLONE |
                              PTRACE_O_TRACEEXEC | PTRACE_O_TRACEEXIT | PTRACE_O_EXITKILL;
constexpr int call_stop = SIGTRAP | 0x80;  // PTRACE_O_TRACESYSGOOD

std::string line_of(pid_t thread, const char *file, const std::string &key) {
    std::ifstream lines(fmt::format("/proc/{}/{}", thread, file));
    for (std::string line; std::getline(lines, line);)
        if (line.starts_with(key))
            return line.substr(key.size());
    return {};
}

pid_t process_of(pid_t thread) {
    const std::string text = line_of(thread, "status", "Tgid:");
    return text.empty() ? thread : static_cast<pid_t>(std::atol(text.c_str()));
}

unsigned long event_message(pid_t thread) {
    unsigned long message = 0;
    ::ptrace(PTRACE_GETEVENTMSG, thread, nullptr, &message);
    return message;
}

// "set-uid", or such; null: it runs with the rights of whoever starts it. exec gives no more rights to who is traced
// by somebody without them.
const char *more_rights(pid_t process) {
    if (::geteuid() == 0)
        return nullptr;
    const std::string file = fmt::format("/proc/{}/exe", process);
    struct stat status{};
    if (::stat(file.c_str(), &status) != 0)
        return nullptr;
    if ((status.st_mode & S_ISUID) != 0)
        return "set-uid";
    if ((status.st_mode & S_ISGID) != 0)
        return "set-gid";
    return ::getxattr(file.c_str(), "security.capability", nullptr, 0) > 0 ? "a program with capabilities" : nullptr;
}

bool stops_a_process(int signal) {
    return signal == SIGSTOP || signal == SIGTSTP || signal == SIGTTIN || signal == SIGTTOU;
}

}  // namespace

int CallTracer::seize() const { return ::ptrace(PTRACE_SEIZE, root_, nullptr, number(options)) == 0 ? 0 : errno; }

CallTracer::Thread &CallTracer::thread_of(pid_t number) {
    const auto [place, is_new] = running_.try_emplace(number);
    if (is_new) {
        place->second.process = process_of(number);
        place->second.name = line_of(number, "comm", "");
    }
    return place->second;
}

void CallTracer::forget(pid_t number) {
    const auto found = running_.find(number);
    if (found == running_.end())
        return;
    if (ended_.size() < model::max_threads_told)
        ended_.emplace_back(number, found->second);
    else
        of_the_others_.add(found->second.counts);
    const pid_t process = found->second.process;
    running_.erase(found);
    const auto results = results_.find(process);
    const bool others = std::ranges::any_of(running_, [&](const auto &one) { return one.second.process == process; });
    if (results == results_.end() || others)
        return;
    results->second.add_to(repeated_);
    written_.add(results->second.written());
    results_.erase(results);
}

void CallTracer::at_call(pid_t number, Thread &thread) {
    const uint64_t now = now_ns();
    __ptrace_syscall_info info{};
    if (::ptrace(PTRACE_GET_SYSCALL_INFO, number, sizeof info, &info) <= 0)
        return;
    if (info.op == PTRACE_SYSCALL_INFO_ENTRY) {
        CallStart call{{info.arch, info.entry.nr}, {}};
        std::copy_n(info.entry.args, call.arguments.size(), call.arguments.begin());
        thread.counts.begun(call.key);
        thread.without_waiting = asks_without_waiting(number, call);
        thread.call = call;
        thread.asked = results_[thread.process].begun(number, call);
        thread.begun_ns = now_ns();
    } else if (info.op == PTRACE_SYSCALL_INFO_EXIT && thread.call) {
        thread.counts.ended(thread.call->key, now - std::min(now, thread.begun_ns),
                            info.exit.is_error ? -info.exit.rval : 0, thread.without_waiting);
        results_[thread.process].ended(number, *thread.call, thread.asked ? &*thread.asked : nullptr, info.exit.rval);
        thread.call.reset();
    }
}

// Whichever thread called exec is its process's first one from now on, and the only one.
void CallTracer::at_exec(pid_t number) {
    const auto former = static_cast<pid_t>(event_message(number));
    if (former != number && running_.contains(former)) {
        Thread caller = std::move(running_[former]);
        running_.erase(former);
        forget(number);
        running_[number] = std::move(caller);
    }
    thread_of(number).name = line_of(number, "comm", "");
    results_[thread_of(number).process].becomes_another_program();
    const char *rights = more_rights(number);
    if (rights == nullptr) {
        started_ = true;
        return;
    }
    if (!started_) {
        refusal_ = fmt::format(
            "it is {}: traced by you it would run without these rights. Without --calls it is measured as it is",
            rights);
        ::kill(number, SIGKILL);
        return;
    }
    problems_.push_back(
        fmt::format("{} is {}, and ran without these rights, for it was traced", thread_of(number).name, rights));
}

void CallTracer::see_child_of(pid_t number) {
    if (const auto child = static_cast<pid_t>(event_message(number)); child > 0)
        thread_of(child);
}

// False: it is to stay where it is.
bool CallTracer::at_event(pid_t number, int event, int signal, bool &ends) {
    switch (event) {
    case PTRACE_EVENT_STOP:
        if (!stops_a_process(signal))
            return true;
        ::ptrace(PTRACE_LISTEN, number, nullptr, nullptr);
        return false;
    case PTRACE_EVENT_EXEC:
        at_exec(number);
        return true;
    case PTRACE_EVENT_EXIT:
        ends = number == root_;
        return true;
    default:
        see_child_of(number);
        return true;
    }
}

bool CallTracer::take(pid_t thread, int status) {
    bool ends = false;
    if (!WIFSTOPPED(status)) {
        forget(thread);
        return ends;
    }
    const int signal = WSTOPSIG(status);
    const int event = status >> 16;
    uintptr_t deliver = 0;
    if (signal == call_stop)
        at_call(thread, thread_of(thread));
    else if (event == 0)
        deliver = static_cast<uintptr_t>(signal);
    else if (!at_event(thread, event, signal, ends))
        return ends;
    if (ends)
        return ends;  // whoever looks at it lets it go on
    ::ptrace(started_ ? PTRACE_SYSCALL : PTRACE_CONT, thread, nullptr, number(deliver));
    return ends;
}

size_t CallTracer::release_all() {
    for (const auto &[thread, ignored] : running_)
        ::ptrace(PTRACE_INTERRUPT, thread, nullptr, nullptr);
    const auto deadline = Clock::now() + std::chrono::seconds(1);
    while (!running_.empty() && Clock::now() < deadline) {
        int status = 0;
        const pid_t thread = ::waitpid(-1, &status, __WALL | WNOHANG);
        if (thread < 0 && errno == ECHILD)
            return 0;
        if (thread <= 0) {
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
            continue;
        }
        const int event = status >> 16;
        if (WIFSTOPPED(status) && event != 0 && event != PTRACE_EVENT_STOP && event != PTRACE_EVENT_EXIT &&
            event != PTRACE_EVENT_EXEC)
            see_child_of(thread);
        const bool has_signal = WIFSTOPPED(status) && event == 0 && WSTOPSIG(status) != call_stop;
        if (WIFSTOPPED(status))
            ::ptrace(PTRACE_DETACH, thread, nullptr, number(has_signal ? static_cast<uintptr_t>(WSTOPSIG(status)) : 0));
        forget(thread);
    }
    return running_.size();
}

void CallTracer::add_to(model::Workload &workload) const {
    CallCounts all = of_the_others_;
    CallCounts others = of_the_others_;
    const auto add = [&](pid_t number, const Thread &thread) {
        all.add(thread.counts);
        const auto found = std::ranges::find_if(workload.threads, [&](const model::ThreadWork &work) {
            return work.thread == static_cast<uint64_t>(number) &&
                   work.process == static_cast<uint64_t>(thread.process);
        });
        if (found != workload.threads.end()) {
            found->name = thread.name;  // whoever looked now and then may have seen it before its exec
            found->calls = thread.counts.rows();
        } else if (workload.threads.size() + 1 < model::max_threads_told)
            workload.threads.push_back({static_cast<uint64_t>(thread.process), static_cast<uint64_t>(number),
                                        thread.name, 0, 0, 0, thread.counts.rows()});
        else
            others.add(thread.counts);
    };
    for (const auto &[thread, work] : ended_)
        add(thread, work);
    for (const auto &[thread, work] : running_)
        add(thread, work);
    if (std::vector<model::CallCount> rows = others.rows(); !rows.empty())
        workload.threads.push_back({0, 0, "others", 0, 0, 0, std::move(rows)});
    workload.traced = true;
    workload.calls = all.rows();
    std::map<std::string, model::RepeatedCalls> repeated = repeated_;
    WrittenFiles written = written_;
    for (const auto &[process, results] : results_) {
        results.add_to(repeated);
        written.add(results.written());
    }
    workload.written = written.most_often_written();
    for (auto &[name, counts] : repeated) {
        counts.name = name;
        workload.repeated.push_back(std::move(counts));
    }
    workload.problems.insert(workload.problems.end(), problems_.begin(), problems_.end());
    if (all.errors_of({AUDIT_ARCH_X86_64, SYS_ptrace}, EPERM) > 0)
        workload.problems.emplace_back("the program traces itself or another one, which it cannot do while its calls "
                                       "are counted; run it without --calls");
}

}  // namespace thalweg::measure
