// transform: follows a round of a copying loop on paper.
#include "transform/system_call/copying_round.h"

#include <map>

#include "llvm/IR/Constants.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

#include "knowledge/function.h"
#include "transform/abstract/successor.h"
#include "transform/system_call/site.h"

namespace thalweg::transform {

using namespace llvm;
using abstract::Known;

namespace {

// A round that copies is short; what needs more is some other loop (as many steps as the largest one seen, in GNU's copy loops, and twice that).
constexpr unsigned most_steps = 200;
constexpr uint64_t largest_block = 16UL * 1024 * 1024;  // so that a signal is answered between two rounds as before

class Follower {
  public:
    Follower(const Loop &loop, CallBase &read, CallBase &write) : loop_(loop), read_(read), write_(write) {}

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
        return type->isPointerTy() ? abstract::pointer_bits : type->isIntegerTy() ? type->getIntegerBitWidth() : 0;
    }

    // Numbers, and sums of them with something that was there before the round.
    Known known(const Value &value) const {
        const unsigned width = width_of(value);
        if (width == 0 || width > abstract::max_bits)
            return {};
        if (const auto *number = dyn_cast<ConstantInt>(&value))
            return abstract::number(number->getValue());
        if (const auto found = values_.find(&value); found != values_.end())
            return found->second;
        const auto *instruction = dyn_cast<Instruction>(&value);
        const bool is_before = !instruction || !loop_.contains(instruction) ||
                               (isa<PHINode>(instruction) && instruction->getParent() == loop_.getHeader());
        return is_before && !isa<UndefValue>(value) ? Known{&value, ConstantRange(APInt(width, 0))} : Known{};
    }
    Known argument(const CallBase &call, unsigned position) const { return known(*call.getArgOperand(position)); }

    void set(const Instruction &instruction, const Known &value) {
        values_[&instruction] = value.offset() ? value : Known{};
    }

    bool step_through(BasicBlock &block, const BasicBlock *before) {
        if (before)
            abstract::take_phis(
                *before, block, [&](const Value &value) { return known(value); },
                [&](const PHINode &phi, const Known &value) { set(phi, value); });
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
        const Known known_size = argument(read_, 2);
        const APInt *size = known_size.number();
        if (round_.block != 0)
            return fail("it reads twice in a round");
        if (!size || size->isZero() || size->ugt(largest_block))
            return fail("how much it reads at once isn't a number from 1 to 16 MiB that is known");
        if (!loop_.isLoopInvariant(read_.getArgOperand(0)) || !loop_.isLoopInvariant(read_.getArgOperand(1)))
            return fail("it reads from another descriptor or to another place in each round");
        round_.block = size->getZExtValue();
        set(read_, abstract::number(APInt(width_of(read_), round_.block)));
        return true;
    }

    bool take_write() {
        const Known size = argument(write_, 2);
        if (round_.block == 0)
            return fail("it writes before it reads");
        if (written_)
            return fail("it writes twice in a round");
        if (!size.number() || *size.number() != round_.block || argument(write_, 1) != argument(read_, 1))
            return fail("it doesn't write what it has read");
        if (!loop_.isLoopInvariant(write_.getArgOperand(0)))
            return fail("it writes to another descriptor in each round");
        written_ = true;
        set(write_, abstract::number(APInt(width_of(write_), round_.block)));
        return true;
    }

    Known value_of(const Instruction &instruction) const {
        const auto *compare = dyn_cast<ICmpInst>(&instruction);
        if (compare && !compare->isEquality() && known(*compare->getOperand(0)).base)
            return {};  // not one object: the sums may wrap
        return abstract::evaluate(instruction, [&](const Value &value) { return known(value); }).value_or(Known{});
    }

    BasicBlock *next_after(BasicBlock &block) {
        const Instruction *last = block.getTerminator();
        BasicBlock *next = block.getSingleSuccessor();
        if (const Value *asked = abstract::asked_by(*last)) {
            const Known value = known(*asked);
            next = value.number() ? abstract::known_successor(*last, *value.number()) : nullptr;
        }
        if (next && loop_.contains(next))
            return next;
        fail(next ? "it ends though all was read and written"
                  : "which way it goes isn't known when all was read and written");
        return nullptr;
    }

    void find_sums(const BasicBlock &last) {
        for (PHINode &phi : loop_.getHeader()->phis()) {
            const Known after = known(*phi.getIncomingValueForBlock(&last));
            const APInt *more = after.base == &phi ? after.offset() : nullptr;
            if (more && *more == round_.block && phi.getType()->isIntegerTy())
                round_.sums.push_back(&phi);
            else if (!more || !more->isZero())
                round_.why_not = "it carries " + (phi.hasName() ? phi.getName().str() : std::string("a value")) +
                                 " from round to round, which isn't the number of bytes";
        }
    }

    const Loop &loop_;
    CallBase &read_;
    CallBase &write_;
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
