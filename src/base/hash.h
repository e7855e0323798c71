// base: FNV-1a, 64 bits: to notice that bytes changed by accident, not to resist an enemy.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace thalweg {

inline constexpr uint64_t hash_start = 0xcbf29ce484222325ull;
uint64_t hash_bytes(std::string_view bytes, uint64_t start = hash_start);
std::string to_hex(uint64_t value);                          // 16 digits
std::string hash_text(uint64_t hash);                        // 0x and 16 digits
bool hash_from_text(std::string_view text, uint64_t &hash);  // false: not such a text

}  // namespace thalweg
