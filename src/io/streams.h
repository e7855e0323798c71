// io: the streams and listeners that there are.
#pragma once

#include <cerrno>
#include <utility>

#include <thalweg/tame/listener.h>
#include <thalweg/tame/stream.h>

namespace thalweg::io {

class Io;

tame::detail::StreamBody *make_epoll_stream(Io &io, int fd);
tame::detail::StreamBody *make_ring_stream(Io &io, int fd);
tame::detail::ListenerBody *make_epoll_listener(Io &io, int fd);
tame::detail::ListenerBody *make_ring_listener(Io &io, int fd);

// What a function waited for is there: it goes on, at once or when its turn comes.
template <class Waits>
void let_go_on(Waits &wanted) {
    tame::detail::ready.wake(std::exchange(wanted.function, nullptr));
}

// Whoever waits goes on, and is told that it was cancelled. What goes on may drop what it waited for.
inline void let_go_cancelled(tame::detail::Receiving *receives, tame::detail::Sending *sends) {
    if (receives)
        receives->error = ECANCELED;
    if (sends)
        sends->error = ECANCELED;
    if (receives)
        let_go_on(*receives);
    if (sends)
        let_go_on(*sends);
}

}  // namespace thalweg::io
