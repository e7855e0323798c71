// io: the streams and listeners that there are.
#pragma once

#include <cerrno>
#include <cstdint>
#include <string_view>
#include <sys/uio.h>
#include <utility>

#include <thalweg/tame/listener.h>
#include <thalweg/tame/stream.h>

namespace thalweg::io {

class Io;

tame::detail::StreamBody *make_epoll_stream(Io &io, int fd);
tame::detail::StreamBody *make_ring_stream(Io &io, int fd);
// What the kernel tells of what such a stream receives; flags: IORING_CQE_F_MORE and the like.
void have_received(tame::detail::StreamBody &ring_stream, int result, uint32_t flags);
tame::detail::ListenerBody *make_epoll_listener(Io &io, int fd);
tame::detail::ListenerBody *make_ring_listener(Io &io, int fd);

// What a function waited for is there: it goes on, at once or when its turn comes.
template <class Waits>
void let_go_on(Waits &wanted) {
    tame::detail::ready.wake(std::exchange(wanted.function, nullptr));
}

// Whoever sends goes on, and is told that it was cancelled. It may drop what it waited for.
inline void let_go_cancelled(tame::detail::Sending *sends) {
    if (!sends)
        return;
    sends->error = ECANCELED;
    if (sends->function)
        let_go_on(*sends);
}

inline iovec piece(std::string_view bytes) { return {const_cast<char *>(bytes.data()), bytes.size()}; }

}  // namespace thalweg::io
