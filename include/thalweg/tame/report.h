// thalweg: what can only be a mistake in a program that waits, told with the place where the event was made.
#pragma once

#include <cstddef>
#include <cstdio>
#include <source_location>
#include <utility>

#include <thalweg/variant.h>

namespace THALWEG_TAME {

enum class mistake {
    never_triggered,  // nobody has the event any more: who waits for it waits forever
    abandoned,  // a rendezvous is gone while events on it were still to come (paper tame-usenix07, section 5: an event leak)
    cannot_end,  // a plain function waits, and nothing is left that could end it
    waited_for,  // a rendezvous is gone while a function waits for it: the function ends there, and all that wait for it
    not_held,  // a lock is released by one who does not have it: it stays as it is
};

struct report {
    mistake what;
    std::source_location
        event;  // where it was made; waited_for: the rendezvous; cannot_end: the wait, where there is no event; not_held: the release
    std::source_location
        rendezvous;  // a gather has no place of its own: an event's; cannot_end: the wait; not_held: the lock
    size_t events;  // abandoned: how many
};

using reporter = void (*)(const report &);

// One line on standard error.
inline void report_on_stderr(const report &told) {
    const auto line = [&](const char *words, const char *other = "rendezvous") {
        std::fprintf(stderr, "thalweg: %s:%u: %s (%s: %s:%u)\n", told.event.file_name(),
                     static_cast<unsigned>(told.event.line()), words, other, told.rendezvous.file_name(),
                     static_cast<unsigned>(told.rendezvous.line()));
    };
    if (told.what == mistake::never_triggered)
        line("this event will never be triggered: nobody has it any more, and it is waited for");
    else if (told.what == mistake::abandoned)
        line("this event is not waited for any more: its rendezvous is gone before it was triggered");
    else if (told.what == mistake::cannot_end)
        line("this is waited for, and can't come any more: the loop has nothing to do", "wait");
    else if (told.what == mistake::not_held)
        line("this releases a lock which nobody has so: it stays as it is", "lock");
    else
        line("a function waits for this rendezvous, which is gone: the function ends where it waits");
}

namespace detail {
inline constinit thread_local reporter current_reporter = report_on_stderr;
}

// Of this thread; null: nobody is told. Gives the one before.
inline reporter set_reporter(reporter next) { return std::exchange(detail::current_reporter, next); }

}  // namespace THALWEG_TAME
