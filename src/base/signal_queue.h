// base: signals of one who runs a program for somebody: taken one by one, and handed on.
#pragma once

#include <csignal>
#include <optional>

namespace thalweg {

// What somebody sends to end a program or to tell it something, and the end of a child, are taken one by one from a
// queue while this lives: the program must get them, and whoever runs it must outlive it.
class SignalQueue {
  public:
    SignalQueue();
    ~SignalQueue();
    SignalQueue(const SignalQueue &) = delete;
    SignalQueue &operator=(const SignalQueue &) = delete;

    // The mask as it was, but for what is held back (base/interruption.h): for the program that is run.
    const sigset_t &before() const { return for_programs_; }
    siginfo_t next() const;
    // None: nothing came for so long.
    std::optional<siginfo_t> next_within(double seconds) const;

  private:
    sigset_t wanted_{};
    sigset_t before_{};
    sigset_t for_programs_{};
    struct sigaction child_before_{};
};

// Hands a signal on to the program. The terminal sends Ctrl-C to the whole foreground group, so the program has it already.
void hand_on(const siginfo_t &info, int program);

}  // namespace thalweg
