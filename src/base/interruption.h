// base: Ctrl-C that is held back until what is half done has been cleared away.
#pragma once

#include <csignal>
#include <string_view>

#include "base/result.h"

namespace thalweg {

// SIGINT, SIGTERM and SIGHUP end nothing while this lives, but stay pending; when it goes, a pending one ends the process, as
// whoever sent it expects. What it waits for in between watches `interruption_descriptor`, or asks `interrupted`.
class HeldInterruption {
  public:
    HeldInterruption();
    ~HeldInterruption();
    HeldInterruption(const HeldInterruption &) = delete;
    HeldInterruption &operator=(const HeldInterruption &) = delete;

  private:
    sigset_t before_{};
};

// Whether one is pending.
bool interrupted();
// What to return because of it.
Error interruption(std::string_view during);
bool is_interruption(int signal);
// Whether this thread holds them back now.
bool holds_interruptions();
// `mask` without the held ones: programs that are started are not to inherit it.
sigset_t without_held(sigset_t mask);
// The mask of this thread, so.
sigset_t mask_for_programs();

// Waits until `descriptor` can be read (or its other end is gone) or a held one is pending, at most `limit_ms`; negative: for as long
// as it takes. False: it is interrupted, or time is up.
bool wait_readable(int descriptor, int limit_ms = -1);

}  // namespace thalweg
