// thalweg: an asynchronous backtrace on a signal.
#pragma once

#include <cstdio>

#include <thalweg/tame/relays.h>
#include <thalweg/tame/signal.h>
#include <thalweg/tame/trace.h>

namespace THALWEG_TAME {

// From now on, as long as this thread's loop is there, write_waits(file) when the signal has come: backtrace_on(SIGUSR2).
inline tamed<> backtrace_on(int signal, std::FILE *file) {
    for (;;) {
        detail::RelayEnd end;
        std::tuple<> none;
        wait_on_signal(signal, detail::relay_event(end, 0, none));
        if (const detail::Came came = co_await end; !came.is_triggered)
            co_return;  // the loop is gone
        write_waits(file);
        std::fflush(file);
    }
}

}  // namespace THALWEG_TAME
