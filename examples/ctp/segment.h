// examples: the segment that travels through CTP's events, the pool it comes from, and a message
#pragma once

#include <memory>
#include <vector>

#include "composite/event.h"
#include "ctp/packet.h"

namespace ctp {

struct Segment {
    Header header;
    composite::Timer timeout;  // armed while the segment waits for its acknowledgement
    std::array<std::uint8_t, kMaxPayload> bytes;

    std::span<const std::uint8_t> payload() const { return {bytes.data(), header.length}; }
};

// Segments are reused: one is given back when its peer has it, and the next fragment takes it.
class SegmentPool {
  public:
    Segment &take() {
        if (free_.empty()) {
            all_.push_back(std::make_unique<Segment>());
            free_.push_back(all_.back().get());
        }
        Segment &segment = *free_.back();
        free_.pop_back();
        segment.header = Header{};
        segment.timeout = {};
        return segment;
    }
    void give_back(Segment &segment) { free_.push_back(&segment); }

  private:
    std::vector<std::unique_ptr<Segment>> all_;
    std::vector<Segment *> free_;
};

// The largest message; a receiver keeps this much of an unfinished one.
inline constexpr std::size_t kMaxMessage = 1 << 20;

struct Message {
    std::span<const std::uint8_t> bytes;
};

}  // namespace ctp
