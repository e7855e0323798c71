// base: FNV-1a, 64 bits.
#include "base/hash.h"

#include <charconv>

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

std::string hash_text(uint64_t hash) { return fmt::format("0x{:016x}", hash); }

bool hash_from_text(std::string_view text, uint64_t &hash) {
    if (!text.starts_with("0x") || text.size() > 18)
        return false;
    text.remove_prefix(2);
    auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), hash, 16);
    return error == std::errc() && end == text.data() + text.size();
}

}  // namespace thalweg
