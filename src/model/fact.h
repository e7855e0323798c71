// model: a value that did not change while a program was recorded, or that a user declares (DESIGN section 5, Specialiser).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/site.h"

namespace thalweg::model {

// A number, or the address of a symbol and an offset to it.
struct FactValue {
    std::string symbol;  // linker name; empty: a number
    uint64_t bits = 0;  // the number, zero-extended; with a symbol: the offset in bytes
    auto operator<=>(const FactValue &) const = default;
};

// A direct call, found again in another build of the program.
struct FactCall {
    std::string caller;  // linker name
    uint32_t ordinal = 0;  // as in CallPlace
    uint64_t body_hash = 0;  // of `caller`; 0: not compared
    SourcePlace place;
    bool operator==(const FactCall &) const = default;
};

struct Fact {
    FactKind kind = FactKind::argument;
    std::string function;  // linker name
    uint32_t ordinal = 0;  // argument, memory: which argument; load: which of the function's loads, in block order
    std::vector<int64_t> path;  // memory: byte offsets, e.g. {8, 16}: at *(arg + 8) + 16
    uint32_t width = 0;  // bytes of the value: 1 to 8
    uint64_t body_hash = 0;  // of `function`, as for a site; 0: not compared
    std::vector<FactValue> values;  // any of these, the most frequent first
    bool trusted = false;  // the user's word instead of a guard
    SourcePlace place;
    std::optional<FactCall> call =
        {};  // load: where this call led to the function; none: wherever nothing more exact is known
    bool operator==(const Fact &) const = default;
};

}  // namespace thalweg::model
