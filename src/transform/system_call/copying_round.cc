// transform: follows a round of a copying loop on paper.
#include "transform/system_call/copying_round.h"

#include <map>
#include <optional>

#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

#include "knowledge/function.h"
#include "transform/ir/known_successor.h"
#include "transform/system_call/site.h"

namespace thalweg::transform {

using namespace llvm;

namespace {

// A round that copies is short; what needs more is some other loop (as many steps as the largest one seen, in GNU's copy loops, and twice that).
constexpr unsigned most_steps = 200;
constexpr uint64_t largest_block = 16UL * 1024 * 1024;  // so that a signal is answered between two rounds as before
constexpr unsigned widest = 64;  // bits of a number that is followed

// A number, or something that was there before the round and so much more.
struct Known {
    const Value *base = nullptr;
    APInt offset;
    bool operator==(const Known &other) const {
        return base == other.base && offset.getBitWidth() == other.offset.getBitWidth() && offset == other.offset;
    }
};

class Follower {
  public:
    Follower(const Loop &loop, CallBase &read, CallBase &write)
        : loop_(loop), read_(read), write_(write), layout_(read.getDataLayout()) {}

    CopyingRound follow() {
        BasicBlock *block = loop_.getHeader();
        const BasicBlock *before = nullptr;
        do {
            if (!step_through(*block, before))
                return std::move(round_);
            before = block;
            block = next_after(*block);
            if (!block)
                return std::move(round_);
        } while (block != loop_.getHeader());
        if (!written_)
            round_.why_not = "it begins again without having written";
        else
            find_sums(*before);
        return std::move(round_);
    }

  private:
    bool fail(std::string why_not) {
        round_.why_not = std::move(why_not);
        return false;
    }

    unsigned width_of(const Value &value) const {
        const Type *type = value.getType();
        return type->isPointerTy() ? widest : type->isIntegerTy() ? type->getIntegerBitWidth() : 0;
    }

    std::optional<Known> known(const Value *value) const {
        const unsigned width = width_of(*value);
        if (width == 0 || width > widest)
            return std::nullopt;
        if (const auto *number = dyn_cast<ConstantInt>(value))
            return Known{nullptr, number->getValue()};
        if (const auto found = values_.find(value); found != values_.end())
            return found->second;
        const auto *instruction = dyn_cast<Instruction>(value);
        const bool is_before = !instruction || !loop_.contains(instruction) ||
                               (isa<PHINode>(instruction) && instruction->getParent() == loop_.getHeader());
        if (is_before && !isa<UndefValue>(value))
            return Known{value, APInt(width, 0)};
        return std::nullopt;
    }

    void set(const Instruction &instruction, const std::optional<Known> &value) {
        if (value)
            values_.insert_or_assign(&instruction, *value);
        else
            values_.erase(&instruction);
    }

    // All phis of a block are taken at once.
    void take_phis(const BasicBlock &block, const BasicBlock &before) {
        std::vector<std::pair<const PHINode *, std::optional<Known>>> taken;
        for (const PHINode &phi : block.phis())
            taken.emplace_back(&phi, known(phi.getIncomingValueForBlock(&before)));
        for (const auto &[phi, value] : taken)
            set(*phi, value);
    }

    bool step_through(BasicBlock &block, const BasicBlock *before) {
        if (before)
            take_phis(block, *before);
        for (Instruction &instruction : block) {
            if (++steps_ > most_steps)
                return fail("a round of it is too long to be followed");
            if (!isa<PHINode>(instruction) && !instruction.isTerminator() && !step(instruction))
                return false;
        }
        return true;
    }

    bool step(Instruction &instruction) {
        if (&instruction == &read_)
            return take_read();
        if (&instruction == &write_)
            return take_write();
        if (instruction.isLifetimeStartOrEnd() || isa<DbgInfoIntrinsic>(instruction) || isa<AssumeInst>(instruction))
            return true;
        if (const auto *call = dyn_cast<CallBase>(&instruction); call && call->mayHaveSideEffects()) {
            const Function *callee = call->getCalledFunction();
            return fail("it calls " + (callee ? callee->getName().str() : std::string("a pointer")) + " in each round");
        }
        if (instruction.mayHaveSideEffects() || instruction.isAtomic())
            return fail("it changes memory in each round, or looks at what others change");
        set(instruction, value_of(instruction));
        return true;
    }

    bool take_read() {
        const std::optional<Known> size = known(read_.getArgOperand(2));
        if (round_.block != 0)
            return fail("it reads twice in a round");
        if (!size || size->base || size->offset.isZero() || size->offset.ugt(largest_block))
            return fail("how much it reads at once isn't a number from 1 to 16 MiB that is known");
        if (!loop_.isLoopInvariant(read_.getArgOperand(0)) || !loop_.isLoopInvariant(read_.getArgOperand(1)))
            return fail("it reads from another descriptor or to another place in each round");
        round_.block = size->offset.getZExtValue();
        set(read_, Known{nullptr, APInt(width_of(read_), round_.block)});
        return true;
    }

    bool take_write() {
        const std::optional<Known> size = known(write_.getArgOperand(2));
        if (round_.block == 0)
            return fail("it writes before it reads");
        if (written_)
            return fail("it writes twice in a round");
        if (!size || size->base || size->offset != round_.block ||
            known(write_.getArgOperand(1)) != known(read_.getArgOperand(1)))
            return fail("it doesn't write what it has read");
        if (!loop_.isLoopInvariant(write_.getArgOperand(0)))
            return fail("it writes to another descriptor in each round");
        written_ = true;
        set(write_, Known{nullptr, APInt(width_of(write_), round_.block)});
        return true;
    }

    std::optional<Known> value_of(Instruction &instruction) const {
        if (const auto *address = dyn_cast<GetElementPtrInst>(&instruction))
            return address_of(*address);
        if (const auto *choice = dyn_cast<SelectInst>(&instruction))
            if (const std::optional<Known> which = known(choice->getCondition()); which && !which->base)
                return known(which->offset.isZero() ? choice->getFalseValue() : choice->getTrueValue());
        if (isa<FreezeInst>(instruction))
            return known(instruction.getOperand(0));
        if (instruction.getNumOperands() > 2 || isa<LoadInst>(instruction) || isa<CallBase>(instruction))
            return std::nullopt;
        SmallVector<Known, 2> operands;
        for (const Value *operand : instruction.operands()) {
            const std::optional<Known> one = known(operand);
            if (!one)
                return std::nullopt;
            operands.push_back(*one);
        }
        const bool all_numbers = all_of(operands, [](const Known &one) { return !one.base; });
        return all_numbers ? number_of(instruction, operands) : sum_of(instruction, operands);
    }

    std::optional<Known> number_of(Instruction &instruction, ArrayRef<Known> operands) const {
        SmallVector<Constant *, 2> numbers;
        for (const Known &one : operands)
            numbers.push_back(ConstantInt::get(instruction.getContext(), one.offset));
        Constant *folded = nullptr;
        if (const auto *compare = dyn_cast<ICmpInst>(&instruction))
            folded = ConstantFoldCompareInstOperands(compare->getPredicate(), numbers[0], numbers[1], layout_);
        else if (isa<BinaryOperator>(instruction) || isa<CastInst>(instruction))
            folded = ConstantFoldInstOperands(&instruction, numbers, layout_);
        const auto *number = dyn_cast_or_null<ConstantInt>(folded);
        return number ? std::optional(Known{nullptr, number->getValue()}) : std::nullopt;
    }

    static std::optional<Known> sum_of(const Instruction &instruction, ArrayRef<Known> operands) {
        if (operands.size() != 2)
            return std::nullopt;
        const Known &left = operands[0];
        const Known &right = operands[1];
        if (instruction.getOpcode() == Instruction::Add && (!left.base || !right.base))
            return Known{left.base ? left.base : right.base, left.offset + right.offset};
        if (instruction.getOpcode() == Instruction::Sub && !right.base)
            return Known{left.base, left.offset - right.offset};
        const auto *compare = dyn_cast<ICmpInst>(&instruction);
        if (compare && compare->isEquality() && left.base == right.base)
            return Known{nullptr,
                         APInt(1, (left.offset == right.offset) == (compare->getPredicate() == ICmpInst::ICMP_EQ))};
        return std::nullopt;
    }

    std::optional<Known> address_of(const GetElementPtrInst &address) const {
        std::optional<Known> result = known(address.getPointerOperand());
        MapVector<Value *, APInt> variable;
        APInt constant(widest, 0);
        if (!result || !address.collectOffset(layout_, widest, variable, constant))
            return std::nullopt;
        result->offset += constant;
        for (const auto &[index, scale] : variable) {
            const std::optional<Known> value = known(index);
            if (!value || value->base)
                return std::nullopt;
            result->offset += value->offset.sextOrTrunc(widest) * scale;
        }
        return result;
    }

    BasicBlock *next_after(BasicBlock &block) {
        const Instruction *last = block.getTerminator();
        BasicBlock *next = block.getSingleSuccessor();
        if (const Value *asked = asked_by(*last)) {
            const std::optional<Known> value = known(asked);
            next = value && !value->base ? known_successor(*last, value->offset) : nullptr;
        }
        if (next && loop_.contains(next))
            return next;
        fail(next ? "it ends though all was read and written"
                  : "which way it goes isn't known when all was read and written");
        return nullptr;
    }

    void find_sums(const BasicBlock &last) {
        for (PHINode &phi : loop_.getHeader()->phis()) {
            const std::optional<Known> after = known(phi.getIncomingValueForBlock(&last));
            const bool is_sum =
                after && after->base == &phi && after->offset == round_.block && phi.getType()->isIntegerTy();
            if (is_sum)
                round_.sums.push_back(&phi);
            else if (!after || after->base != &phi || !after->offset.isZero())
                round_.why_not = "it carries " + (phi.hasName() ? phi.getName().str() : std::string("a value")) +
                                 " from round to round, which isn't the number of bytes";
        }
    }

    const Loop &loop_;
    CallBase &read_;
    CallBase &write_;
    const DataLayout &layout_;
    CopyingRound round_;
    std::map<const Value *, Known> values_;
    unsigned steps_ = 0;
    bool written_ = false;
};

}  // namespace

CopyingRound follow_round(const Loop &loop, CallBase &read, CallBase &write) {
    return Follower(loop, read, write).follow();
}

}  // namespace thalweg::transform
