// benchmarks: what is raised, one segment on its way through a transport protocol.
#pragma once

#include <cstdint>

struct Segment {
    uint64_t word;  // of the payload
    uint32_t sequence;
    uint32_t length;
    uint32_t flags;
    uint32_t checksum;
};

inline constexpr uint32_t ack_request = 1;
