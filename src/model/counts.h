// model: how often what a function is made of ran, as LLVM's IR instrumentation counts it (-fprofile-generate). docs/formats/profile.md
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace thalweg::model {

// How many counters a function has; they lie side by side, functions in the order of the site table.
struct CountedFunction {
    std::string name;  // LLVM's for profiles: the linker's, behind "file;" where the function is internal
    uint64_t hash = 0;  // of its control flow
    uint32_t counters = 0;
    bool operator==(const CountedFunction &) const = default;
};

struct FunctionCounts {
    std::string name;
    uint64_t hash = 0;
    std::vector<uint64_t> counts;
    auto operator<=>(const FunctionCounts &) const = default;
};

// LLVM's text format of a profile: what `llvm-profdata merge` reads, and writes with --text. Functions that LLVM would not read, without a counter
// or with a name that would be another line of it, are left out.
std::string write_profdata_text(const std::vector<FunctionCounts> &functions);
// Of IR instrumentation. Values of calls and sizes that it has besides are passed over.
Result<std::vector<FunctionCounts>> read_profdata_text(std::string_view text);

}  // namespace thalweg::model
