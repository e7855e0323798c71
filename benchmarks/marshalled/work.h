// benchmarks: the handlers of `dispatch`, two more for Adapt, and work added to each: -DROUNDS=0 (tiny), 4 (about 30
// instructions in all), 100 (heavy, about 600).
#pragma once

#include <cstdint>

#include "../dispatch/bodies.h"

struct AdaptRate {
    struct State {
        uint64_t rate = 1000;
    };
    static void run(State &state, Segment &segment) {
        state.rate += segment.flags != 0 ? -(state.rate >> 3) : 8;
        segment.checksum = static_cast<uint32_t>(state.rate);
    }
};

struct AdaptQuality {
    struct State {
        uint64_t lowered = 0;
    };
    static void run(State &state, Segment &segment) { state.lowered += segment.checksum < 500; }
};

template <class Handler>
struct Working {
    typename Handler::State state;
    uint64_t mixed = 0x9e3779b97f4a7c15;
};

// Six instructions a round, each of which needs the one before (Marsaglia's xorshift).
inline uint64_t mix(uint64_t value) {
    for (int round = 0; round < ROUNDS; ++round) {
        value ^= value << 13;
        value ^= value >> 7;
        value ^= value << 17;
    }
    return value;
}

template <class Handler>
inline void run_handler(Working<Handler> &own, Segment &segment, int64_t length) {
    Handler::run(own.state, segment);
    own.mixed = mix(own.mixed + static_cast<uint64_t>(length));
}
