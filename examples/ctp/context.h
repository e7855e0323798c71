// examples: what the micro-protocols of one CTP session share: its events, its configuration and a few variables
#pragma once

#include <cstdint>
#include <string>

#include "ctp/events.h"

namespace ctp {

// Sequence numbers wrap; the window is small, so the sign of the difference tells which one is older.
inline bool before(std::uint32_t a, std::uint32_t b) { return static_cast<std::int32_t>(a - b) < 0; }

// Segments under way, or received out of order, at most. A power of two, larger than the largest window (window.cc).
inline constexpr std::uint32_t kRing = 256;

struct Config {
    std::uint16_t fragment_bytes = 256;  // payload of a segment at the start
    std::uint16_t group_size = 8;        // data segments for one parity segment at the start
    double loss = 0;                     // this share of the packets sent is thrown away instead
    std::uint64_t seed = 1;              // which ones
};

struct Statistics {
    std::uint64_t messages_sent = 0, messages_received = 0;
    std::uint64_t segments_sent = 0, bytes_sent = 0, wake_ups = 0, segments_delivered = 0;
    std::uint64_t acked = 0, timeouts = 0, lost = 0, recovered = 0, resized = 0, system_inputs = 0, ticks = 0;
    std::uint64_t duplicates = 0, bad_packets = 0, injected_losses = 0;
};

struct Context {
    Context(composite::Composite &runtime, Config with) : composite(runtime), config(with), events(runtime) {}

    composite::Composite &composite;
    Config config;
    Events events;
    SegmentPool pool;
    Statistics statistics;

    std::uint32_t session = 0;
    bool opened = false;       // Open was raised
    bool established = false;  // the peer answered
    bool closed = false;

    std::uint32_t now_us = 0;             // refreshed where something comes in from outside
    bool window_open = false;             // WFC: another data segment may be sent
    std::uint32_t in_flight = 0;          // PAU: data segments sent and not acknowledged
    std::uint32_t span = 0;               // PAU: from the first one not acknowledged to the last one sent
    std::uint32_t backlog = 0;            // Frag: messages that wait for the window
    std::uint32_t receive_next = 0;       // SeqSeg: the first sequence number not received yet
    std::uint32_t smoothed_rtt_us = 0;    // PAU
    std::uint32_t loss_per_mille = 0;     // Adapt: share of segments that had to be sent again, smoothed
    std::uint32_t parity_per_mille = 0;   // FEC: share of the bytes sent that are parity, smoothed

    void refresh_clock() { now_us = static_cast<std::uint32_t>(composite::now_us()); }
    bool idle() const { return in_flight == 0 && backlog == 0; }
};

}  // namespace ctp
