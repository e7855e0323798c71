// transform: what is known of a value while code is followed at compile time, and what instructions make of it.
#pragma once

#include <optional>

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Instruction.h"

namespace thalweg::transform::abstract {

// A number in a range, or a base and so much more, in a range; neither: anything.
struct Known {
    const llvm::Value *base = nullptr;  // an object's address, or whatever else the follower starts from
    std::optional<llvm::ConstantRange> range;
    // Null: there is not one alone.
    const llvm::APInt *offset() const & { return range ? range->getSingleElement() : nullptr; }
    const llvm::APInt *number() const & { return base ? nullptr : offset(); }
    const llvm::APInt *offset() const && = delete;  // it lies in here
    const llvm::APInt *number() const && = delete;
    bool operator==(const Known &other) const { return base == other.base && range == other.range; }
};

inline constexpr unsigned pointer_bits = 64;
// Wider numbers are never an offset or a counter: they are not followed.
inline constexpr unsigned max_bits = 64;

// Nothing known but the type.
Known anything(const llvm::Type &type);
Known number(const llvm::APInt &value);
Known pointer(const llvm::Value &base, int64_t offset);
// What a constant is: a number, null, or an address in a variable.
Known of_constant(const llvm::Constant &constant, const llvm::DataLayout &layout);
// One or the other. Sums of two bases are anything.
Known either(const Known &one, const Known &other, const llvm::Type &type);

// What a follower knows of an operand.
using Read = llvm::function_ref<Known(const llvm::Value &)>;

// What an instruction without effects gives. Nothing: it isn't known how it comes to its value, so bases among its operands are used as numbers.
std::optional<Known> evaluate(const llvm::Instruction &instruction, Read read);

}  // namespace thalweg::transform::abstract
