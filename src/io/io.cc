// io: which of the two a process uses, and a loop's part of it.
#include "io.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdexcept>
#include <sys/socket.h>
#include <system_error>

#include "lent.h"
#include "streams.h"

namespace THALWEG_TAME {

namespace {

// Without these there would be a request for each connection and each answer, and then epoll is as good. Multishot receives came after all
// the others (Linux 6.0), and the kernel tells of none of them by name: what came with the same version stands for them.
constexpr int newest_needed = IORING_OP_SEND_ZC;

// Empty: it can be had.
std::string reason_against_io_uring() {
    const std::unique_ptr<io_uring_probe, decltype(&io_uring_free_probe)> probe(io_uring_get_probe(),
                                                                                io_uring_free_probe);
    if (!probe)
        return std::string("the system allows no io_uring (") + std::strerror(errno) + ")";
    if (io_uring_opcode_supported(probe.get(), newest_needed) == 0)
        return "this kernel's io_uring has no multishot receive (Linux 6.0 has)";
    return "";
}

}  // namespace

io_choice chosen_io() {
    const char *asked = std::getenv("THALWEG_IO");
    const std::string word = asked ? asked : "";
    if (word == "epoll")
        return {io_kind::epoll, "THALWEG_IO=epoll"};
    const std::string against = reason_against_io_uring();
    if (word == "io_uring") {
        if (!against.empty())
            throw std::system_error(ENOSYS, std::generic_category(), "THALWEG_IO=io_uring: " + against);
        return {io_kind::io_uring, "THALWEG_IO=io_uring"};
    }
    if (!word.empty())
        throw std::system_error(EINVAL, std::generic_category(),
                                "THALWEG_IO=" + word + " is neither io_uring nor epoll");
    return {against.empty() ? io_kind::io_uring : io_kind::epoll, against};
}

namespace detail {

namespace {

// A part that is sent after another one does not wait until the other side has acknowledged that, which may take 40 ms. Of what is not
// TCP it is refused, and needs nothing of the kind.
void send_at_once(int fd) {
    const int one = 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
}

}  // namespace

void StreamBody::refuse_second(const char *what) {
    throw std::logic_error(std::string("another function ") + what +
                           " on this stream already, and one at a time may: let it return first");
}

StreamBody *make_accepted_stream(int fd) {
    io::Io &here = io::Io::here();
    return here.ring() ? io::make_ring_stream(here, fd) : io::make_epoll_stream(here, fd);
}

StreamBody *make_stream(int fd) {
    send_at_once(fd);
    return make_accepted_stream(fd);
}

ListenerBody *make_listener(int fd) {
    int listens = 0;
    socklen_t size = sizeof(listens);
    if (getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) != 0 || listens == 0)
        throw std::system_error(EINVAL, std::generic_category(), "a listener needs a socket that listens");
    send_at_once(fd);  // what it takes has its options (tcp(7))
    io::Io &here = io::Io::here();
    return here.ring() ? io::make_ring_listener(here, fd) : io::make_epoll_listener(here, fd);
}

}  // namespace detail

}  // namespace THALWEG_TAME

namespace thalweg::io {

Io::Io(thalweg_loop *loop) : loop_(loop) {
    if (tame::chosen_io().kind == tame::io_kind::epoll) {
        lent_ = std::make_unique<Lent>();
        return;
    }
    ring_ = std::make_unique<Ring>(loop);
    thalweg_loop_set_poller(loop, ring_.get());
}

bool Io::is_waiting() const {
    const auto has_waiting = [](const auto *member) {
        while (member && !member->is_waited_for())
            member = member->next();
        return member != nullptr;
    };
    // What is done with files is among what the ring awaits.
    const auto *streams = std::get<Member<tame::detail::StreamBody> *>(members_);
    const auto *listeners = std::get<Member<tame::detail::ListenerBody> *>(members_);
    return (ring_ ? ring_->has_awaited() : streams != nullptr) || has_waiting(streams) || has_waiting(listeners);
}

Io::~Io() {
    const auto let_go = [](auto *&first) {
        while (first)
            first->loop_goes();
    };
    std::apply([&](auto *&...lists) { (let_go(lists), ...); }, members_);
    thalweg_loop_set_poller(loop_, nullptr);
}

}  // namespace thalweg::io
