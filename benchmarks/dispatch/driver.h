// benchmarks: the loop in which every variant is timed, and what it prints.
#pragma once

#include <chrono>
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "segment.h"

// The segment came from outside, and whatever the compiler knew of memory is over: every raise finds its state in memory,
// as it would in a program that does something between two raises. Without this the merged variants would keep
// all counters in registers for the whole loop, which no event-driven program can.
inline void from_outside(Segment &segment) { asm volatile("" : : "r"(&segment) : "memory"); }

// Prints: CASE nanoseconds-per-raise; the states' digest follows when all cases ran.
template <class Raise>
void time_case(const char *name, uint64_t count, Raise raise) {
    Segment segment = {};
    uint64_t word = 0x2545f4914f6cdd1d;
    const auto start = std::chrono::steady_clock::now();
    for (uint64_t i = 0; i < count; ++i) {
        word = word * 6364136223846793005u + 1442695040888963407u;
        segment.word = word;
        segment.sequence = static_cast<uint32_t>(i);
        segment.length = 64 + (static_cast<uint32_t>(word >> 33) & 1023);
        segment.flags = static_cast<uint32_t>(word >> 60) & 1;
        from_outside(segment);
        raise(segment);
    }
    const std::chrono::duration<double, std::nano> taken = std::chrono::steady_clock::now() - start;
    std::printf("%s %.4f ns %08x\n", name, taken.count() / static_cast<double>(count), segment.checksum);
}
