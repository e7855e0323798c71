// base: FNV-1a, 64 bits: to notice that bytes changed by accident, not to resist an enemy.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace thalweg {

inline constexpr uint64_t hash_start = 0xcbf29ce484222325ull;
uint64_t hash_bytes(std::string_view bytes, uint64_t start = hash_start);
std::string to_hex(uint64_t value);  // 16 digits

}  // namespace thalweg
