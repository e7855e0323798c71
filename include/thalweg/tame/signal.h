// thalweg: a signal, as a primitive event (paper tame-usenix07, section 3.1).
#pragma once

#include <cerrno>
#include <csignal>
#include <cstddef>
#include <memory>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <system_error>
#include <unistd.h>
#include <utility>
#include <vector>

#include <thalweg/tame/loop_part.h>
#include <thalweg/tame/rendezvous.h>
#include <thalweg/tame/wait_list.h>

namespace THALWEG_TAME::detail {

// The signals that a loop's thread has waited for. They stay blocked, so that one that comes between two waits is not lost: it is pending
// in the kernel until it is waited for again.
class Signals final : thalweg_descriptor {
  public:
    explicit Signals(thalweg_loop *loop)
        : thalweg_descriptor{[](thalweg_descriptor *self, uint32_t) { static_cast<Signals *>(self)->read_one(); }},
          loop_(loop), waits_(*this) {
        sigemptyset(&waited_);
        sigemptyset(&blocked_by_us_);
        fd_ = signalfd(-1, &waited_, SFD_CLOEXEC | SFD_NONBLOCK);
        if (fd_ < 0 || thalweg_descriptor_add(loop, this, fd_, EPOLLIN) != THALWEG_OK) {
            const int reason = errno;
            close_descriptor();
            throw std::system_error(reason, std::generic_category(), "signals can't be waited for");
        }
    }
    Signals(const Signals &) = delete;
    Signals &operator=(const Signals &) = delete;
    ~Signals() {
        thalweg_descriptor_remove(loop_, this, fd_);
        close_descriptor();
        pthread_sigmask(SIG_UNBLOCK, &blocked_by_us_, nullptr);
    }

    bool is_waiting() const { return !waits_.is_empty(); }
    void cancelled() noexcept { listen(); }
    void add(int signal, event<> due) {
        sigset_t one, before;
        sigemptyset(&one);
        // SIGKILL and SIGSTOP are never told.
        if (sigaddset(&one, signal) != 0 || signal == SIGKILL || signal == SIGSTOP)
            throw std::system_error(EINVAL, std::generic_category(), "a signal can't be waited for");
        pthread_sigmask(SIG_BLOCK, &one, &before);
        if (sigismember(&before, signal) == 0)
            sigaddset(&blocked_by_us_, signal);
        waits_.add(signal, std::move(due));
        listen();
    }

  private:
    void close_descriptor() const {
        if (fd_ >= 0)
            close(fd_);
    }
    // To those that somebody waits for; the others stay pending.
    void listen() {
        sigemptyset(&waited_);
        waits_.for_each([this](int signal) { sigaddset(&waited_, signal); });
        signalfd(fd_, &waited_, 0);
    }
    void read_one() noexcept {
        signalfd_siginfo info;
        if (read(fd_, &info, sizeof(info)) != static_cast<ssize_t>(sizeof(info)))
            return;
        std::vector<event<>> due =
            waits_.take([&info](int signal) { return signal == static_cast<int>(info.ssi_signo); });
        listen();
        waits_.trigger(std::move(due));
    }

    thalweg_loop *loop_;
    int fd_ = -1;
    sigset_t waited_, blocked_by_us_;
    WaitList<Signals, int> waits_;
};

}  // namespace THALWEG_TAME::detail

namespace THALWEG_TAME {

// Triggers the event when the signal has come to this thread, or to the process. From here on the thread has it blocked, until its loop is
// gone; a program with other threads blocks it in them, or else the system may choose one of those to take it.
// Throws std::system_error for what is no signal, or can't be waited for.
inline void wait_on_signal(int signal, event<> come) {
    if (come)
        detail::LoopPart<detail::Signals>::of(detail::loop_here()).add(signal, std::move(come));
}

}  // namespace THALWEG_TAME
