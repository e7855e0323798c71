// transform: arithmetic on ranges, for a function that is run for all inputs at once.
#include "transform/cache/value.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Operator.h"

namespace thalweg::transform::cache {

using namespace llvm;

namespace {

// Wider numbers are never an offset or a counter.
constexpr unsigned max_bits = 64;

bool has_range(const Type &type) { return type.isIntegerTy() && type.getIntegerBitWidth() <= max_bits; }

std::optional<ConstantRange> number_range(const Shadow &shadow) {
    return shadow.is_pointer() ? std::nullopt : shadow.range;
}

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

}  // namespace

Shadow anything(const Type &type) {
    return has_range(type) ? Shadow{nullptr, ConstantRange::getFull(type.getIntegerBitWidth())} : Shadow{};
}

Shadow number(const APInt &value) { return {nullptr, ConstantRange(value)}; }

Shadow pointer(const Value &base, int64_t offset) {
    return {&base, ConstantRange(APInt(pointer_bits, static_cast<uint64_t>(offset), true))};
}

Shadow of_constant(const Constant &constant, const DataLayout &layout) {
    if (const auto *integer = dyn_cast<ConstantInt>(&constant); integer && has_range(*integer->getType()))
        return number(integer->getValue());
    if (constant.isNullValue() && constant.getType()->isPointerTy())
        return number(APInt(pointer_bits, 0));
    if (!constant.getType()->isPointerTy() || layout.getIndexTypeSizeInBits(constant.getType()) != pointer_bits)
        return anything(*constant.getType());
    APInt offset(pointer_bits, 0);
    const Value *base = constant.stripAndAccumulateConstantOffsets(layout, offset, true);
    return isa<GlobalVariable>(base) ? pointer(*base, offset.getSExtValue()) : Shadow{};
}

Shadow either(const Shadow &one, const Shadow &other, const Type &type) {
    if (one == other)
        return one;
    if (one.base != other.base || !one.range || !other.range)
        return anything(type);
    return {one.base, one.range->unionWith(*other.range, ConstantRange::Signed)};
}

Shadow Arithmetic::read(const Value &value) const {
    if (const auto *constant = dyn_cast<Constant>(&value))
        return of_constant(*constant, layout_);
    const auto known = values_.find(&value);
    return known == values_.end() ? anything(*value.getType()) : known->second;
}

std::optional<Shadow> Arithmetic::evaluate(const Instruction &instruction) const {
    if (const auto *one = dyn_cast<BinaryOperator>(&instruction))
        return binary(*one);
    if (const auto *one = dyn_cast<CastInst>(&instruction))
        return cast(*one);
    if (const auto *one = dyn_cast<ICmpInst>(&instruction))
        return compare(*one);
    if (const auto *one = dyn_cast<SelectInst>(&instruction))
        return select(*one);
    if (const auto *one = dyn_cast<GetElementPtrInst>(&instruction))
        return address(*one);
    if (isa<FreezeInst>(instruction))
        return read(*instruction.getOperand(0));
    return std::nullopt;
}

std::optional<Shadow> Arithmetic::binary(const BinaryOperator &binary) const {
    const std::optional<ConstantRange> left = number_range(read(*binary.getOperand(0)));
    const std::optional<ConstantRange> right = number_range(read(*binary.getOperand(1)));
    if (!left || !right || !has_range(*binary.getType()))
        return std::nullopt;
    return Shadow{nullptr, left->binaryOp(binary.getOpcode(), *right)};
}

std::optional<Shadow> Arithmetic::cast(const CastInst &cast) const {
    const std::optional<ConstantRange> from = number_range(read(*cast.getOperand(0)));
    if (!from || !has_range(*cast.getType()) || !has_range(*cast.getSrcTy()))
        return std::nullopt;
    return Shadow{nullptr, from->castOp(cast.getOpcode(), cast.getType()->getIntegerBitWidth())};
}

// Of two pointers into one object the offsets are compared: objects don't lie around the end of the address space.
std::optional<Shadow> Arithmetic::compare(const ICmpInst &compare) const {
    const Shadow left = read(*compare.getOperand(0));
    const Shadow right = read(*compare.getOperand(1));
    if (left.base != right.base || !left.range || !right.range || !compare.getType()->isIntegerTy(1))
        return std::nullopt;
    const CmpInst::Predicate predicate =
        left.is_pointer() ? ICmpInst::getSignedPredicate(compare.getPredicate()) : compare.getPredicate();
    return Shadow{nullptr, truth(decided(predicate, *left.range, *right.range))};
}

std::optional<Shadow> Arithmetic::select(const SelectInst &select) const {
    const Shadow condition = read(*select.getCondition());
    const Shadow yes = read(*select.getTrueValue());
    const Shadow no = read(*select.getFalseValue());
    if (const APInt *known = condition.number(); known && select.getCondition()->getType()->isIntegerTy(1))
        return known->isOne() ? yes : no;
    if (yes.base != no.base)
        return std::nullopt;
    return either(yes, no, *select.getType());
}

std::optional<Shadow> Arithmetic::address(const GetElementPtrInst &address) const {
    const Shadow base = read(*address.getPointerOperand());
    if (!base.is_pointer() || address.getType()->isVectorTy())
        return std::nullopt;
    MapVector<Value *, APInt> indices;
    APInt constant(pointer_bits, 0);
    if (!cast<GEPOperator>(address).collectOffset(layout_, pointer_bits, indices, constant))
        return std::nullopt;
    ConstantRange offset = base.range->add(ConstantRange(constant));
    for (const auto &[index, scale] : indices) {
        const std::optional<ConstantRange> range = number_range(read(*index));
        if (!range)
            return std::nullopt;
        offset = offset.add(range->sextOrTrunc(pointer_bits).multiply(ConstantRange(scale)));
    }
    return Shadow{base.base, offset};
}

}  // namespace thalweg::transform::cache
