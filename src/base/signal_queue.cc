// base: signals of one who runs a program for somebody.
#include "base/signal_queue.h"

#include <algorithm>
#include <array>
#include <cerrno>

#include <pthread.h>

#include "base/interruption.h"

namespace thalweg {

namespace {

constexpr std::array forwarded = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2};

}  // namespace

SignalQueue::SignalQueue() {
    sigemptyset(&wanted_);
    for (const int signal : forwarded)
        sigaddset(&wanted_, signal);
    sigaddset(&wanted_, SIGCHLD);
    ::pthread_sigmask(SIG_BLOCK, &wanted_, &before_);
    for_programs_ = without_held(before_);
    // Who ignores it, as our parent may have it, is not told how a child ended.
    struct sigaction told{};
    told.sa_handler = SIG_DFL;
    ::sigaction(SIGCHLD, &told, &child_before_);
}

SignalQueue::~SignalQueue() {
    ::sigaction(SIGCHLD, &child_before_, nullptr);
    ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

siginfo_t SignalQueue::next() const {
    siginfo_t info{};
    while (::sigwaitinfo(&wanted_, &info) < 0 && errno == EINTR) {
    }
    return info;
}

std::optional<siginfo_t> SignalQueue::next_within(double seconds) const {
    const double rest = std::max(seconds, 0.0);
    const auto whole = static_cast<time_t>(rest);
    const timespec limit = {whole, static_cast<long>((rest - static_cast<double>(whole)) * 1e9)};
    siginfo_t info{};
    if (::sigtimedwait(&wanted_, &info, &limit) < 0)
        return std::nullopt;
    return info;
}

void hand_on(const siginfo_t &info, int program) {
    if (info.si_code != SI_KERNEL)
        ::kill(program, info.si_signo);
}

}  // namespace thalweg
