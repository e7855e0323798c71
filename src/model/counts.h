// model: how often what a function is made of ran, as LLVM's IR instrumentation counts it (-fprofile-generate). docs/formats/profile.md
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace thalweg::model {

// How many counters a function has; they lie side by side, functions in the order of the site table. Behind all of them, in the same order, lie
// the value sites: of each function the targets of each call through a pointer, then the sizes of each memory operation.
struct CountedFunction {
    std::string name;  // LLVM's for profiles: the linker's, behind "file;" where the function is internal
    uint64_t hash = 0;  // of its control flow
    uint32_t counters = 0;
    uint32_t value_sites = 0;  // calls
    uint32_t memory_sites = 0;
    bool operator==(const CountedFunction &) const = default;
};

// What a call through a pointer called, and how often.
struct CallTarget {
    std::string function;  // LLVM's name for profiles; empty: something that has none here
    uint64_t count = 0;
    auto operator<=>(const CallTarget &) const = default;
};

// How often a memory operation (memcpy, memset, memcmp) had a size of one of LLVM's ranges, which is told by its first size.
struct MemorySize {
    uint64_t bytes = 0;
    uint64_t count = 0;
    auto operator<=>(const MemorySize &) const = default;
};

// No compiler gives a function another name, but a profile may have any: one that would be another line of LLVM's text.
bool can_be_function_name(std::string_view name);

struct FunctionCounts {
    std::string name;
    uint64_t hash = 0;
    std::vector<uint64_t> counts;
    std::vector<std::vector<CallTarget>> value_sites = {};  // each by function, of one function one
    std::vector<std::vector<MemorySize>> memory_sites = {};  // each by size, of one size one
    auto operator<=>(const FunctionCounts &) const = default;
};

}  // namespace thalweg::model
