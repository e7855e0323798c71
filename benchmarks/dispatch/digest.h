// benchmarks: one number for everything that the handlers left behind, so that variants can be held against each other.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

// FNV-1a, seeded with the handler's name: the order in which states are added does not matter, who left them does.
template <class State>
uint64_t digest_of(const char *name, const State &state) {
    static_assert(std::has_unique_object_representations_v<State>);
    uint64_t digest = 0xcbf29ce484222325;
    const auto add = [&](unsigned char byte) { digest = (digest ^ byte) * 0x100000001b3; };
    for (const char *at = name; *at != '\0'; ++at) {
        add(static_cast<unsigned char>(*at));
    }
    unsigned char bytes[sizeof state];
    std::memcpy(bytes, &state, sizeof state);
    for (const unsigned char byte : bytes) {
        add(byte);
    }
    return digest;
}
