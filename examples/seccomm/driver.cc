// examples: Driver: a UDP socket on the loopback
#include "seccomm/driver.h"

#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>

namespace seccomm {

Driver::Driver(Context &context, bool measure) : context_(context), measure_(measure) {
    Events &events = context.events;
    events.msg_to_net.bind<&Driver::msg_to_net>(this, 20);
    events.net_readable.bind<&Driver::net_readable>(this, 10);
    events.msg_to_user.bind<&Driver::msg_to_user>(this, 20);
}

Driver::~Driver() {
    if (socket_ >= 0) {
        context_.composite.loop().unwatch(watch_);
        ::close(socket_);
    }
}

bool Driver::open() {
    socket_ = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    sockaddr_in here{};
    here.sin_family = AF_INET;
    here.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (socket_ < 0 || bind(socket_, reinterpret_cast<sockaddr *>(&here), sizeof here) != 0) {
        return false;
    }
    return context_.composite.loop().watch_fd(socket_, THALWEG_READABLE, context_.events.net_readable, &watch_) ==
           THALWEG_OK;
}

void Driver::connect(std::uint16_t to) {
    peer_.sin_family = AF_INET;
    peer_.sin_port = htons(to);
    peer_.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
}

std::uint16_t Driver::port() const {
    sockaddr_in here{};
    socklen_t size = sizeof here;
    getsockname(socket_, reinterpret_cast<sockaddr *>(&here), &size);
    return ntohs(here.sin_port);
}

void Driver::push(std::span<const std::uint8_t> text) {
    if (measure_) {
        started_ns_ = composite::now_ns();
    }
    outgoing_.text_size = text.size();
    std::copy(text.begin(), text.end(), outgoing_.bytes.begin() + kIvBytes + kHeaderBytes);
    context_.events.msg_from_user.raise(outgoing_);
}

void Driver::msg_to_net(Message &message) {
    if (measure_) {
        push_ns_.push_back(static_cast<std::uint32_t>(composite::now_ns() - started_ns_));
    }
    sendto(socket_, message.bytes.data(), message.size, MSG_DONTWAIT, reinterpret_cast<sockaddr *>(&peer_),
           sizeof peer_);
}

void Driver::net_readable(int, unsigned) {
    // With MSG_TRUNC the size is the datagram's own, so that one too large to be ours shows.
    const ssize_t got = recv(socket_, incoming_.bytes.data(), incoming_.bytes.size(), MSG_DONTWAIT | MSG_TRUNC);
    if (got < 0) {
        return;
    }
    if (measure_) {
        started_ns_ = composite::now_ns();
    }
    incoming_.size = static_cast<std::size_t>(got);
    context_.events.msg_from_net.raise(incoming_);
}

void Driver::msg_to_user(Message &) {
    if (measure_) {
        pop_ns_.push_back(static_cast<std::uint32_t>(composite::now_ns() - started_ns_));
    }
}

void Driver::forget_times() {
    push_ns_.clear();
    pop_ns_.clear();
}

}  // namespace seccomm
