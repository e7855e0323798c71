// base: Ctrl-C that is held back until what is half done has been cleared away.
#include "base/interruption.h"

#include <algorithm>
#include <array>
#include <cerrno>

#include <poll.h>
#include <pthread.h>
#include <sys/signalfd.h>
#include <unistd.h>

namespace thalweg {

namespace {

constexpr std::array held = {SIGINT, SIGTERM, SIGHUP};

// Not those that whoever started us told us to ignore (nohup, a shell's background): blocked, they would be pending all the same.
sigset_t held_set() {
    sigset_t set;
    sigemptyset(&set);
    for (const int signal : held) {
        struct sigaction action{};
        if (::sigaction(signal, nullptr, &action) == 0 && action.sa_handler != SIG_IGN)
            sigaddset(&set, signal);
    }
    return set;
}

bool share_one(const sigset_t &a, const sigset_t &b) {
    return std::ranges::any_of(
        held, [&](int signal) { return sigismember(&a, signal) == 1 && sigismember(&b, signal) == 1; });
}

}  // namespace

HeldInterruption::HeldInterruption() {
    const sigset_t set = held_set();
    ::pthread_sigmask(SIG_BLOCK, &set, &before_);
}

HeldInterruption::~HeldInterruption() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

bool interrupted() {
    sigset_t pending;
    ::sigpending(&pending);
    return share_one(pending, held_set());
}

Error interruption(std::string_view during) { return fail(ErrorCode::interrupted, "interrupted while {}", during); }

bool holds_interruptions() {
    sigset_t now;
    ::pthread_sigmask(SIG_SETMASK, nullptr, &now);
    return share_one(now, held_set());
}

bool is_interruption(int signal) { return std::ranges::find(held, signal) != held.end(); }

sigset_t without_held(sigset_t mask) {
    for (const int signal : held)
        sigdelset(&mask, signal);
    return mask;
}

sigset_t mask_for_programs() {
    sigset_t now;
    ::pthread_sigmask(SIG_SETMASK, nullptr, &now);
    return without_held(now);
}

bool wait_readable(int descriptor, int limit_ms) {
    if (descriptor < 0)
        return true;  // what cannot be watched is waited for by whoever reads it
    const sigset_t set = held_set();
    // Not read from: what is pending stays so, for everyone who asks later. Unblocked signals never make it readable.
    const int signals = ::signalfd(-1, &set, SFD_CLOEXEC);
    std::array<pollfd, 2> waiting = {{{descriptor, POLLIN, 0}, {signals, POLLIN, 0}}};
    int ready = 0;
    while ((ready = ::poll(waiting.data(), waiting.size(), limit_ms)) < 0 && errno == EINTR) {
    }
    if (signals >= 0)
        ::close(signals);
    return ready < 0 || waiting[0].revents != 0;
}

}  // namespace thalweg
