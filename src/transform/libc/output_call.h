// transform: calls of the C library that put bytes into a stream's buffer or into memory, and can be written in place.
#pragma once

#include <optional>
#include <vector>

#include "llvm/IR/InstrTypes.h"

#include "knowledge/function.h"
#include "transform/libc/format.h"

namespace thalweg::transform {

struct OutputCall {
    const knowledge::Output *output;
    std::string format;  // of those that have one: what it says
    std::vector<Conversion> conversions;  // of its arguments in order, behind the format
};

// What the call puts, where that is known when the program is built; else none. A function that the program has itself is no such one.
std::optional<OutputCall> output_call(const llvm::CallBase &call);

}  // namespace thalweg::transform
