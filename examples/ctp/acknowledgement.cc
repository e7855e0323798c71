// examples: PAU, positive acknowledgement
#include "ctp/acknowledgement.h"

#include <algorithm>

namespace ctp {
namespace {

// Retransmission timeout: smoothed round trip plus four deviations (RFC 6298), doubled with each attempt. RFC 6298's least
// value of a second is for the Internet; on a loopback a scheduler's delay is what has to be covered.
constexpr std::uint32_t kLeastTimeoutUs = 40'000;
constexpr std::uint32_t kMostTimeoutUs = 1'000'000;
constexpr unsigned kMostDoublings = 5;
// After this many attempts (about ten seconds) the peer is taken for gone.
constexpr unsigned kMostAttempts = 15;

}  // namespace

Acknowledgement::Acknowledgement(Context &context) : context_(context) {
    Events &events = context.events;
    events.open.bind<&Acknowledgement::open>(this, 40);
    events.close.bind<&Acknowledgement::close>(this, 20);
    events.seg_to_net.bind<&Acknowledgement::seg_to_net>(this, 10);
    events.seg_from_net.bind<&Acknowledgement::seg_from_net>(this, 40);
    events.segment_recovered.bind<&Acknowledgement::segment_recovered>(this, 30);
    events.segment_acked.bind<&Acknowledgement::segment_acked>(this, 10);
    events.segment_timeout.bind<&Acknowledgement::segment_timeout>(this, 20);
    events.segment_lost.bind<&Acknowledgement::segment_lost>(this, 40);
}

void Acknowledgement::open() {
    first_unacked_ = send_end_ = 0;
    context_.in_flight = context_.span = 0;
    context_.smoothed_rtt_us = rtt_variation_us_ = 0;
}

void Acknowledgement::close() {
    for (Segment *&segment : in_flight_) {
        if (segment) {
            segment->timeout.cancel();
            context_.pool.give_back(*segment);
            segment = nullptr;
        }
    }
    context_.in_flight = context_.span = 0;
}

std::chrono::microseconds Acknowledgement::timeout(unsigned attempt) const {
    const std::uint32_t estimate = context_.smoothed_rtt_us + 4 * rtt_variation_us_;
    const std::uint32_t once = std::clamp(estimate, kLeastTimeoutUs, kMostTimeoutUs);
    return std::chrono::microseconds(std::min(once << std::min(attempt, kMostDoublings), kMostTimeoutUs));
}

void Acknowledgement::seg_to_net(Segment &segment) {
    if (segment.header.kind != Kind::data) {
        return;
    }
    if (segment.header.attempt == 0) {
        in_flight_[segment.header.sequence % kRing] = &segment;
        send_end_ = segment.header.sequence + 1;
        ++context_.in_flight;
        context_.span = send_end_ - first_unacked_;
    }
    segment.timeout =
        context_.events.segment_timeout.post_after(timeout(segment.header.attempt), segment.header.sequence);
}

void Acknowledgement::seg_from_net(Segment &segment) {
    const Header &header = segment.header;
    if (header.kind == Kind::data) {
        acknowledge(segment);
        return;
    }
    if (header.kind != Kind::ack || before(send_end_, header.acked_before)) {
        return;
    }
    acked(header.sequence, header.stamp);
    for (std::uint32_t i = first_unacked_; before(i, header.acked_before); ++i) {
        acked(i, 0);
    }
}

Segment *Acknowledgement::in_flight(std::uint32_t sequence) const {
    Segment *segment = in_flight_[sequence % kRing];
    return segment && segment->header.sequence == sequence ? segment : nullptr;
}

void Acknowledgement::acked(std::uint32_t sequence, std::uint32_t stamp) {
    Segment *segment = in_flight(sequence);
    if (segment) {
        context_.events.segment_acked.raise(*segment, stamp);
        context_.pool.give_back(*segment);
    }
}

void Acknowledgement::acknowledge(const Segment &segment) {
    Segment &ack = context_.pool.take();
    ack.header.kind = Kind::ack;
    ack.header.session = context_.session;
    ack.header.sequence = segment.header.sequence;
    ack.header.acked_before = context_.receive_next;
    ack.header.stamp = segment.header.stamp;
    context_.events.seg_to_net.raise(ack);
    context_.pool.give_back(ack);
}

void Acknowledgement::segment_recovered(Segment &segment) { acknowledge(segment); }

// Of a segment that was sent more than once nobody knows which one is answered (Karn's rule): no round trip then.
void Acknowledgement::segment_acked(Segment &segment, std::uint32_t stamp) {
    segment.timeout.cancel();
    in_flight_[segment.header.sequence % kRing] = nullptr;
    --context_.in_flight;
    while (before(first_unacked_, send_end_) && !in_flight(first_unacked_)) {
        ++first_unacked_;
    }
    context_.span = send_end_ - first_unacked_;
    if (stamp == 0 || segment.header.attempt > 0) {
        return;
    }
    const std::uint32_t rtt = context_.now_us - stamp;
    if (context_.smoothed_rtt_us == 0) {
        context_.smoothed_rtt_us = rtt;
        rtt_variation_us_ = rtt / 2;
        return;
    }
    const std::uint32_t smoothed = context_.smoothed_rtt_us;
    const std::uint32_t off = rtt > smoothed ? rtt - smoothed : smoothed - rtt;
    rtt_variation_us_ += off / 4 - rtt_variation_us_ / 4;
    context_.smoothed_rtt_us += rtt / 8 - smoothed / 8;
}

void Acknowledgement::segment_timeout(std::uint32_t sequence) {
    Segment *segment = in_flight(sequence);
    if (!segment) {
        return;
    }
    context_.refresh_clock();
    if (segment->header.attempt >= kMostAttempts) {
        context_.events.close.raise();
        return;
    }
    context_.events.segment_lost.raise(*segment);
}

void Acknowledgement::segment_lost(Segment &segment) {
    ++segment.header.attempt;
    context_.events.seg_to_net.raise(segment);
}

}  // namespace ctp
