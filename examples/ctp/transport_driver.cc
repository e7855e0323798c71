// examples: TD, the transport driver
#include "ctp/transport_driver.h"

#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>

namespace ctp {
namespace {

// Datagrams read before other events get their turn.
constexpr int kReadBurst = 64;
// An opening is repeated with each tick of ControlClock, for five seconds.
constexpr unsigned kMostCalls = 50;

// SplitMix64 (Steele, Lea, Flood 2014): the same seed loses the same packets on every machine.
std::uint64_t next_random(std::uint64_t &state) {
    std::uint64_t z = (state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

std::uint32_t new_session() {
    std::uint32_t session = 0;
    while (session == 0) {
        if (getrandom(&session, sizeof session, 0) != sizeof session) {
            session = static_cast<std::uint32_t>(getpid());
        }
    }
    return session;
}

}  // namespace

TransportDriver::TransportDriver(Context &context) : context_(context), random_(context.config.seed) {
    Events &events = context.events;
    events.open.bind<&TransportDriver::open>(this, 10);
    events.close.bind<&TransportDriver::close>(this, 90);
    events.seg_from_user.bind<&TransportDriver::seg_from_user>(this, 30);
    events.seg_to_net.bind<&TransportDriver::seg_to_net>(this, 40);
    events.segment_sent.bind<&TransportDriver::segment_sent>(this, 10);
    events.net_readable.bind<&TransportDriver::net_readable>(this, 10);
    events.seg_from_net.bind<&TransportDriver::seg_from_net>(this, 10);
    events.control_clock.bind<&TransportDriver::control_clock>(this, 20);
}

TransportDriver::~TransportDriver() {
    if (socket_ >= 0) {
        context_.composite.loop().unwatch(watch_);
        ::close(socket_);
    }
}

bool TransportDriver::open_socket(std::uint16_t port) {
    socket_ = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (socket_ < 0) {
        return false;
    }
    sockaddr_in here{};
    here.sin_family = AF_INET;
    here.sin_port = htons(port);
    here.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (bind(socket_, reinterpret_cast<sockaddr *>(&here), sizeof here) != 0) {
        return false;
    }
    return context_.composite.loop().watch_fd(socket_, THALWEG_READABLE, context_.events.net_readable, &watch_) ==
           THALWEG_OK;
}

bool TransportDriver::listen(std::uint16_t port) { return open_socket(port); }

bool TransportDriver::connect(std::uint16_t port) {
    peer_.sin_family = AF_INET;
    peer_.sin_port = htons(port);
    peer_.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    active_ = peer_known_ = true;
    context_.session = new_session();
    return open_socket(0);
}

std::uint16_t TransportDriver::port() const {
    sockaddr_in here{};
    socklen_t size = sizeof here;
    getsockname(socket_, reinterpret_cast<sockaddr *>(&here), &size);
    return ntohs(here.sin_port);
}

void TransportDriver::open() {
    context_.opened = true;
    send_control(active_ ? Kind::open : Kind::open_ack);
    if (!active_) {
        establish();
    }
}

void TransportDriver::close() {
    // Three times, because nobody acknowledges it; a peer that misses all three notices the silence.
    for (int i = 0; i < 3 && peer_known_; ++i) {
        send_control(Kind::close);
    }
    flush();
    context_.closed = true;
}

void TransportDriver::establish() {
    context_.established = true;
    context_.events.window_opened.raise();
}

void TransportDriver::send_control(Kind kind) {
    Segment &segment = context_.pool.take();
    segment.header.kind = kind;
    segment.header.session = context_.session;
    context_.events.seg_to_net.raise(segment);
    context_.pool.give_back(segment);
}

void TransportDriver::seg_from_user(Segment &segment) {
    segment.header.session = context_.session;
    context_.events.seg_to_net.raise(segment);
}

bool TransportDriver::injected_loss() {
    if (context_.config.loss <= 0) {
        return false;
    }
    const double drawn = static_cast<double>(next_random(random_) >> 11) * 0x1p-53;
    return drawn < context_.config.loss;
}

// Packets are queued and leave together at the end of the loop's turn: see segment_sent.
void TransportDriver::seg_to_net(Segment &segment) {
    if (segment.header.kind == Kind::data) {
        segment.header.stamp = context_.now_us;
    }
    if (injected_loss()) {
        ++context_.statistics.injected_losses;
    } else {
        if (queued_ == kBatch) {
            flush();
        }
        Datagram &datagram = queue_[queued_++];
        datagram.size = write_packet(segment.header, segment.payload(), datagram.bytes);
    }
    context_.events.segment_sent.post(segment.header.length);
}

void TransportDriver::segment_sent(std::uint32_t) {
    if (queued_ > 0) {
        flush();
    }
}

void TransportDriver::flush() {
    std::array<mmsghdr, kBatch> messages{};
    std::array<iovec, kBatch> parts;
    for (std::size_t i = 0; i < queued_; ++i) {
        parts[i] = {queue_[i].bytes.data(), queue_[i].size};
        messages[i].msg_hdr.msg_iov = &parts[i];
        messages[i].msg_hdr.msg_iovlen = 1;
        messages[i].msg_hdr.msg_name = &peer_;
        messages[i].msg_hdr.msg_namelen = sizeof peer_;
    }
    // What the socket does not take is lost like any other packet; so is an error, for the peer may not listen yet.
    sendmmsg(socket_, messages.data(), static_cast<unsigned>(queued_), MSG_DONTWAIT);
    queued_ = 0;
}

void TransportDriver::net_readable(int, unsigned) {
    context_.refresh_clock();
    // One byte more than a packet may have, so that a longer datagram shows as such.
    std::array<std::uint8_t, kMaxPacket + 1> bytes;
    for (int i = 0; i < kReadBurst; ++i) {
        socklen_t size = sizeof source_;
        const ssize_t got =
            recvfrom(socket_, bytes.data(), bytes.size(), MSG_DONTWAIT, reinterpret_cast<sockaddr *>(&source_), &size);
        if (got < 0) {
            return;
        }
        const auto packet = read_packet(std::span(bytes).first(static_cast<std::size_t>(got)));
        if (!packet) {
            ++context_.statistics.bad_packets;
            continue;
        }
        incoming_.header = packet->header;
        std::copy(packet->payload.begin(), packet->payload.end(), incoming_.bytes.begin());
        context_.events.seg_from_net.raise(incoming_);
    }
}

// Lets the packets of this session pass to the other micro-protocols; deals with opening and closing itself.
void TransportDriver::seg_from_net(Segment &segment) {
    const Kind kind = segment.header.kind;
    if (kind == Kind::open && !active_) {
        accept(segment);
    }
    const bool ours = context_.opened && !context_.closed && segment.header.session == context_.session;
    if (!ours) {
        context_.statistics.bad_packets += context_.closed ? 0 : 1;
        context_.events.seg_from_net.halt();
    } else if (kind == Kind::open_ack && active_ && !context_.established) {
        establish();
    } else if (kind == Kind::close) {
        context_.events.close.raise();
    }
}

void TransportDriver::accept(const Segment &segment) {
    if (!context_.opened) {
        peer_ = source_;
        peer_known_ = true;
        context_.session = segment.header.session;
        context_.events.open.raise();
    } else if (segment.header.session == context_.session) {
        send_control(Kind::open_ack);  // ours was lost
    }
}

void TransportDriver::control_clock() {
    if (!active_ || context_.established) {
        return;
    }
    if (++calls_ < kMostCalls) {
        send_control(Kind::open);
    } else {
        context_.events.close.raise();  // nobody is there
    }
}

}  // namespace ctp
