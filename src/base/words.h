// base: numbers in sentences, alike wherever they stand.
#pragma once

#include <cstdint>
#include <string>

namespace thalweg {

std::string grouped(uint64_t number);  // 1,234,567
std::string plural(uint64_t number, const char *one);  // "1 fact", "1,234 facts"
std::string times(uint64_t number);  // "once", "1,234 times"

}  // namespace thalweg
