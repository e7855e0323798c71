// benchmarks: what the handlers do, the same in every variant. Each has a state of its own, as a micro-protocol has.
#pragma once

#include <bit>
#include <cstdint>

#include "segment.h"

// ---- W1: one event, four handlers ----

struct CountArrived {
    struct State {
        uint64_t segments = 0;
        uint64_t bytes = 0;
    };
    static void run(State &state, Segment &segment) {
        ++state.segments;
        state.bytes += segment.length;
    }
};

struct CheckOrder {
    struct State {
        uint32_t expected = 0;
        uint32_t gaps = 0;
    };
    static void run(State &state, Segment &segment) {
        state.gaps += segment.sequence != state.expected;
        state.expected = segment.sequence + 1;
    }
};

struct Checksum {
    struct State {
        uint64_t sum = 0;
    };
    static void run(State &state, Segment &segment) {
        state.sum = std::rotl(state.sum, 5) ^ segment.word;
        segment.checksum = static_cast<uint32_t>(state.sum);
    }
};

struct Credit {
    static constexpr int64_t window = 65536;
    struct State {
        int64_t left = window;
        uint64_t refills = 0;
    };
    static void run(State &state, Segment &segment) {
        state.left -= segment.length;
        if (state.left < 0) {
            state.left += window;
            ++state.refills;
        }
    }
};

// ---- W2: SegFromUser's four handlers, the third of which raises Seg2Net with its four (the paper's Figure 8) ----

struct FecParity {
    struct State {
        uint64_t parity = 0;
        uint64_t bytes = 0;
    };
    static void run(State &state, Segment &segment) {
        state.parity ^= segment.word;
        state.bytes += segment.length;
    }
};

struct SequenceSegment {
    struct State {
        uint64_t next = 0;
    };
    static void run(State &state, Segment &segment) { segment.sequence = static_cast<uint32_t>(state.next++); }
};

struct DriveTransport {  // then raises Seg2Net
    struct State {
        uint64_t segments = 0;
    };
    static void run(State &state, Segment &segment) {
        ++state.segments;
        segment.flags = (state.segments & 15) == 0 ? ack_request : 0;
    }
};

struct FecGroup {
    struct State {
        uint32_t in_group = 0;
        uint32_t groups = 0;
    };
    static void run(State &state, Segment &) {
        if (++state.in_group == 8) {
            state.in_group = 0;
            ++state.groups;
        }
    }
};

struct PositiveAck {
    struct State {
        uint32_t unacked = 0;
        uint32_t last = 0;
    };
    static void run(State &state, Segment &segment) {
        state.unacked = (segment.flags & ack_request) != 0 ? 0 : state.unacked + 1;
        state.last = segment.sequence;
    }
};

struct WindowControl {
    static constexpr int64_t window = 65536;
    struct State {
        int64_t credit = window;
        uint64_t stalls = 0;
    };
    static void run(State &state, Segment &segment) {
        state.credit -= segment.length;
        if (state.credit < 0) {
            state.credit += window;
            ++state.stalls;
        }
    }
};

struct FecMark {
    struct State {
        uint64_t marked = 0;
    };
    static void run(State &state, Segment &segment) {
        segment.flags |= (segment.sequence & 7) << 8;
        state.marked += segment.flags & ack_request;
    }
};

struct SendSegment {
    struct State {
        uint64_t sum = 0;
        uint64_t bytes = 0;
    };
    static void run(State &state, Segment &segment) {
        state.sum = std::rotl(state.sum, 5) ^ segment.word ^ segment.sequence;
        segment.checksum = static_cast<uint32_t>(state.sum);
        state.bytes += segment.length;
    }
};

// ---- W3: a chain of five events with two handlers each, the second of which raises the next ----

struct CountReceived {
    struct State {
        uint64_t packets = 0;
        uint64_t bytes = 0;
    };
    static void run(State &state, Segment &segment) {
        ++state.packets;
        state.bytes += segment.length;
    }
};

struct StripHeader {
    static constexpr uint32_t header_bytes = 8;
    struct State {
        uint64_t headers = 0;
    };
    static void run(State &state, Segment &segment) {
        segment.length -= header_bytes;
        ++state.headers;
    }
};

struct SumPayload {
    struct State {
        uint64_t sum = 0;
    };
    static void run(State &state, Segment &segment) { state.sum = std::rotl(state.sum, 7) + segment.word; }
};

struct CheckFlags {
    struct State {
        uint64_t requests = 0;
    };
    static void run(State &state, Segment &segment) { state.requests += segment.flags & ack_request; }
};

struct NoteGap {
    struct State {
        uint32_t expected = 0;
        uint32_t gaps = 0;
    };
    static void run(State &state, Segment &segment) {
        state.gaps += segment.sequence != state.expected;
        state.expected = segment.sequence + 1;
    }
};

struct OrderSegment {
    struct State {
        uint64_t ordered = 0;
    };
    static void run(State &state, Segment &segment) {
        segment.sequence ^= 0x5555;
        ++state.ordered;
    }
};

struct DecodeWord {
    struct State {
        uint64_t key = 0x9e3779b97f4a7c15;
    };
    static void run(State &state, Segment &segment) {
        segment.word ^= state.key;
        state.key = std::rotl(state.key, 1);
    }
};

struct CountDecoded {
    struct State {
        uint64_t decoded = 0;
    };
    static void run(State &state, Segment &segment) { state.decoded += segment.length; }
};

struct DeliverWord {
    struct State {
        uint64_t delivered = 0;
    };
    static void run(State &state, Segment &segment) { state.delivered ^= segment.word; }
};

struct CountDelivered {
    struct State {
        uint64_t segments = 0;
    };
    static void run(State &state, Segment &segment) {
        ++state.segments;
        segment.checksum = static_cast<uint32_t>(state.segments);
    }
};
