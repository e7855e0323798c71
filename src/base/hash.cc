// base: FNV-1a, 64 bits.
#include "base/hash.h"

#include <fmt/format.h>

namespace thalweg {

uint64_t hash_bytes(std::string_view bytes, uint64_t start) {
    constexpr uint64_t prime = 0x100000001b3ull;
    uint64_t hash = start;
    for (const char byte : bytes)
        hash = (hash ^ static_cast<unsigned char>(byte)) * prime;
    return hash;
}

std::string to_hex(uint64_t value) { return fmt::format("{:016x}", value); }

}  // namespace thalweg
