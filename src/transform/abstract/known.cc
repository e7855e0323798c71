// transform: arithmetic on what is known of values: numbers by LLVM's ranges, addresses and sums by their offsets.
#include "transform/abstract/known.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

namespace thalweg::transform::abstract {

using namespace llvm;

namespace {

bool has_range(const Type &type) { return type.isIntegerTy() && type.getIntegerBitWidth() <= max_bits; }

std::optional<ConstantRange> number_range(const Known &known) { return known.base ? std::nullopt : known.range; }

ConstantRange truth(std::optional<bool> known) {
    return known ? ConstantRange(APInt(1, *known ? 1 : 0)) : ConstantRange::getFull(1);
}

std::optional<bool> decided(CmpInst::Predicate predicate, const ConstantRange &left, const ConstantRange &right) {
    if (left.icmp(predicate, right))
        return true;
    if (left.icmp(CmpInst::getInversePredicate(predicate), right))
        return false;
    return std::nullopt;
}

std::optional<Known> of_binary(const BinaryOperator &binary, Read read) {
    const Known left = read(*binary.getOperand(0));
    const Known right = read(*binary.getOperand(1));
    if (!left.range || !right.range || !has_range(*binary.getType()))
        return std::nullopt;
    const bool is_sum = binary.getOpcode() == Instruction::Add   ? !left.base || !right.base
                        : binary.getOpcode() == Instruction::Sub ? !right.base
                                                                 : !left.base && !right.base;
    if (!is_sum)
        return std::nullopt;
    return Known{left.base ? left.base : right.base, left.range->binaryOp(binary.getOpcode(), *right.range)};
}

std::optional<Known> of_cast(const CastInst &cast, Read read) {
    const std::optional<ConstantRange> from = number_range(read(*cast.getOperand(0)));
    if (!from || !has_range(*cast.getType()) || !has_range(*cast.getSrcTy()))
        return std::nullopt;
    return Known{nullptr, from->castOp(cast.getOpcode(), cast.getType()->getIntegerBitWidth())};
}

// Of two pointers into one object the offsets are compared: objects don't lie around the end of the address space. Other sums may wrap.
std::optional<Known> of_compare(const ICmpInst &compare, Read read) {
    const Known left = read(*compare.getOperand(0));
    const Known right = read(*compare.getOperand(1));
    if (left.base != right.base || !left.range || !right.range || !compare.getType()->isIntegerTy(1))
        return std::nullopt;
    if (left.base && !left.base->getType()->isPointerTy() && !compare.isEquality())
        return std::nullopt;
    const CmpInst::Predicate predicate =
        left.base ? ICmpInst::getSignedPredicate(compare.getPredicate()) : compare.getPredicate();
    return Known{nullptr, truth(decided(predicate, *left.range, *right.range))};
}

std::optional<Known> of_select(const SelectInst &select, Read read) {
    const std::optional<ConstantRange> condition = number_range(read(*select.getCondition()));
    if (!condition)
        return std::nullopt;
    const Known yes = read(*select.getTrueValue());
    const Known no = read(*select.getFalseValue());
    if (const APInt *known = condition->getSingleElement())
        return known->isZero() ? no : yes;
    if (yes.base != no.base)
        return std::nullopt;
    return either(yes, no, *select.getType());
}

std::optional<Known> of_address(const GetElementPtrInst &address, Read read) {
    const DataLayout &layout = address.getDataLayout();
    const Known base = read(*address.getPointerOperand());
    MapVector<Value *, APInt> indices;
    APInt constant(pointer_bits, 0);
    if (!base.base || address.getType()->isVectorTy() ||
        !cast<GEPOperator>(address).collectOffset(layout, pointer_bits, indices, constant))
        return std::nullopt;
    ConstantRange offset = base.range->add(ConstantRange(constant));
    for (const auto &[index, scale] : indices) {
        const std::optional<ConstantRange> range = number_range(read(*index));
        if (!range)
            return std::nullopt;
        offset = offset.add(range->sextOrTrunc(pointer_bits).multiply(ConstantRange(scale)));
    }
    return Known{base.base, offset};
}

}  // namespace

Known anything(const Type &type) {
    return has_range(type) ? Known{nullptr, ConstantRange::getFull(type.getIntegerBitWidth())} : Known{};
}

Known number(const APInt &value) { return {nullptr, ConstantRange(value)}; }

Known pointer(const Value &base, int64_t offset) {
    return {&base, ConstantRange(APInt(pointer_bits, static_cast<uint64_t>(offset), true))};
}

Known of_constant(const Constant &constant, const DataLayout &layout) {
    if (const auto *integer = dyn_cast<ConstantInt>(&constant); integer && has_range(*integer->getType()))
        return number(integer->getValue());
    if (constant.isNullValue() && constant.getType()->isPointerTy())
        return number(APInt(pointer_bits, 0));
    if (!constant.getType()->isPointerTy() || layout.getIndexTypeSizeInBits(constant.getType()) != pointer_bits)
        return anything(*constant.getType());
    APInt offset(pointer_bits, 0);
    const Value *base = constant.stripAndAccumulateConstantOffsets(layout, offset, true);
    return isa<GlobalVariable>(base) ? pointer(*base, offset.getSExtValue()) : Known{};
}

Known either(const Known &one, const Known &other, const Type &type) {
    if (one == other)
        return one;
    if (one.base != other.base || !one.range || !other.range)
        return anything(type);
    return {one.base, one.range->unionWith(*other.range, ConstantRange::Signed)};
}

std::optional<Known> evaluate(const Instruction &instruction, Read read) {
    if (const auto *one = dyn_cast<BinaryOperator>(&instruction))
        return of_binary(*one, read);
    if (const auto *one = dyn_cast<CastInst>(&instruction))
        return of_cast(*one, read);
    if (const auto *one = dyn_cast<ICmpInst>(&instruction))
        return of_compare(*one, read);
    if (const auto *one = dyn_cast<SelectInst>(&instruction))
        return of_select(*one, read);
    if (const auto *one = dyn_cast<GetElementPtrInst>(&instruction))
        return of_address(*one, read);
    if (isa<FreezeInst>(instruction))
        return read(*instruction.getOperand(0));
    return std::nullopt;
}

}  // namespace thalweg::transform::abstract
