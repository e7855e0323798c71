// transform: what is known of a value while a function is run for all inputs at once.
#pragma once

#include <optional>

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Instructions.h"

namespace thalweg::transform::cache {

// A number in a range, or a pointer into an object by an offset in a range; neither: anything.
struct Shadow {
    const llvm::Value *base = nullptr;  // an argument, a variable, an alloca
    std::optional<llvm::ConstantRange> range;
    bool is_pointer() const { return base != nullptr; }
    const llvm::APInt *number() const & { return base || !range ? nullptr : range->getSingleElement(); }
    const llvm::APInt *number() const && = delete;  // it lies in here
    bool operator==(const Shadow &other) const { return base == other.base && range == other.range; }
};

using Shadows = llvm::DenseMap<const llvm::Value *, Shadow>;

inline constexpr unsigned pointer_bits = 64;

// Nothing known but the type.
Shadow anything(const llvm::Type &type);
Shadow number(const llvm::APInt &value);
Shadow pointer(const llvm::Value &base, int64_t offset);
// What a constant is: a number, null, or an address in a variable.
Shadow of_constant(const llvm::Constant &constant, const llvm::DataLayout &layout);
// One or the other. Pointers into two objects are anything.
Shadow either(const Shadow &one, const Shadow &other, const llvm::Type &type);

// What instructions without effects give, from what is known of their operands, asked by `read`. Nothing: it isn't known how the
// instruction comes to its value, so that pointers among its operands are used as numbers.
class Arithmetic {
  public:
    Arithmetic(const Shadows &values, const llvm::DataLayout &layout) : values_(values), layout_(layout) {}
    Shadow read(const llvm::Value &value) const;
    std::optional<Shadow> evaluate(const llvm::Instruction &instruction) const;

  private:
    std::optional<Shadow> binary(const llvm::BinaryOperator &binary) const;
    std::optional<Shadow> cast(const llvm::CastInst &cast) const;
    std::optional<Shadow> compare(const llvm::ICmpInst &compare) const;
    std::optional<Shadow> select(const llvm::SelectInst &select) const;
    std::optional<Shadow> address(const llvm::GetElementPtrInst &address) const;

    const Shadows &values_;
    const llvm::DataLayout &layout_;
};

}  // namespace thalweg::transform::cache
