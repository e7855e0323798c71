// transform: follows a new descriptor through all ways on which nobody can tell when its flags were set.
#include "transform/system_call/descriptor_flags.h"

#include <fcntl.h>
#include <sys/ioctl.h>

#include <optional>

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

#include "abi/made_descriptor.h"
#include "transform/abstract/cells.h"
#include "transform/abstract/successor.h"
#include "transform/ir/use.h"
#include "transform/system_call/quiet_stretch.h"
#include "transform/system_call/site.h"

namespace thalweg::transform {

using namespace llvm;
using abstract::Known;

namespace {

// Whoever leaves a signal's handler so finds the descriptor without what was to be done behind.
bool leaves_handler(const knowledge::Function &function) {
    return function.course == knowledge::Course::leaves_handler;
}

// Real programs have 20 to 60 instructions between the calls, on 2 to 6 ways.
constexpr unsigned most_steps = 4000;
// What F_SETFL sets; all else of its argument the kernel leaves alone (fs/fcntl.c, SETFL_MASK).
constexpr uint64_t settable_status = O_APPEND | O_NONBLOCK | O_DIRECT | O_NOATIME | O_ASYNC;
constexpr unsigned descriptor_bits = 32;

// Those of the maker's descriptors are based on its call, by 0 and 1; none: it is a number, or not known.
std::optional<uint64_t> descriptor_of(const Known &known) {
    return known.base ? std::optional(known.offset()->getZExtValue()) : std::nullopt;
}

// Where a way has come to.
struct State {
    DenseMap<const Value *, Known> values{};
    abstract::Cells cells;
    SmallVector<const BasicBlock *, 16> passed;
    SmallVector<uint32_t, 8> met;  // of the calls that are wanted
    uint32_t flags[2] = {0, 0};
};

bool is_local(const Value *address) { return isa<AllocaInst>(getUnderlyingObject(address)); }

class Walk {
  public:
    Walk(CallInst &call, const DescriptorMaker &maker, ArrayRef<uint32_t> wanted, AAResults &aliases)
        : call_(call), maker_(maker), wanted_(wanted), aliases_(aliases), layout_(call.getDataLayout()) {
        may_jump_ = !used_that(*call.getModule(), leaves_handler).empty();
    }

    FlagWays run() {
        State state{.cells = {aliases_, layout_}};
        if (maker_.pair < 0) {
            state.values[&call_] = descriptor(0);
        } else {
            state.values[&call_] = abstract::number(APInt(descriptor_bits, 0));
            const Value *pair = call_.getArgOperand(static_cast<unsigned>(maker_.pair));
            const MemoryLocation both(pair, LocationSize::precise(8));
            for (const int which : {0, 1})
                state.cells.put(both, 4 * which, 4, descriptor(which));
        }
        state.flags[0] = state.flags[1] = flags_at_first();
        follow(*call_.getParent(), call_.getNextNode(), state);
        if (found_.why_not.empty() && !is_complete_)
            found_.why_not = first_end_.empty() ? "no way leads from where the descriptor is made to the calls"
                                                : "between the calls, " + first_end_;
        if (found_.why_not.empty() && found_.flags == 0 && found_.left_out.empty())
            found_.why_not = "nothing is left out";
        return std::move(found_);
    }

  private:
    // Those that a constant sets; where it isn't one, the program tests that there are none.
    uint32_t flags_at_first() const {
        if (maker_.flags >= call_.arg_size() || maker_.flags >= maker_.kept)
            return 0;
        const auto *given = dyn_cast<ConstantInt>(call_.getArgOperand(maker_.flags));
        const uint64_t bits = given ? given->getZExtValue() : 0;
        const auto has = [&](uint64_t flag) { return flag != 0 && (bits & flag) == flag; };
        return (has(maker_.close_on_exec) ? thalweg_crossing_closes_on_exec : 0) |
               (has(maker_.no_wait) ? thalweg_crossing_does_not_wait : 0);
    }

    bool is_pair() const { return maker_.pair >= 0; }
    bool has_failed() const { return !found_.why_not.empty(); }
    void fail(std::string why_not) {
        if (found_.why_not.empty())
            found_.why_not = std::move(why_not);
    }

    Known descriptor(int which) const {
        return {&call_, ConstantRange(APInt(descriptor_bits, static_cast<uint64_t>(which)))};
    }

    static Known known(const State &state, const Value &value) {
        if (const auto *number = dyn_cast<ConstantInt>(&value))
            return abstract::number(number->getValue());
        return state.values.lookup(&value);
    }

    static void set(State &state, const Value &value, const Known &is) {
        state.values[&value] = is.offset() ? is : Known{};
    }

    // ---- one way ----

    void follow(BasicBlock &block, Instruction *from, State state) {
        state.passed.push_back(&block);
        for (Instruction *one = from; one && !has_failed(); one = one->getNextNode()) {
            if (++steps_ > most_steps)
                return fail("too much lies between the calls");
            if (one->isTerminator())
                return leave(block, *one, state);
            if (isa<PHINode>(one))
                continue;
            if (auto *call = dyn_cast<CallInst>(one); call && take(*call, state)) {
                if (state.met.size() == wanted_.size())
                    return;
                continue;
            }
            if (const std::string loud = is_loud(*one); !loud.empty())
                return end(*one, state, loud);
            look_at(*one, state);
        }
    }

    void end(Instruction &one, const State &state, const std::string &why) {
        if (first_end_.empty())
            first_end_ = why;
        auto *call = dyn_cast<CallBase>(&one);
        Function *callee = call ? call->getCalledFunction() : nullptr;
        if (callee && !callee->isDeclaration() && (!found_.obstacle || holds_wanted(*callee)))
            found_.obstacle = call;
        const FlagWays::End here = {{state.flags[0], state.flags[1]}};
        const auto [place, is_new] = found_.ends.try_emplace(&one, here);
        if (!is_new && !std::equal(std::begin(here.flags), std::end(here.flags), std::begin(place->second.flags)))
            fail("which flags are set isn't the same on all ways to one place");
    }

    bool holds_wanted(Function &function) const {
        return any_of(instructions(function),
                      [&](const Instruction &one) { return is_contained(wanted_, system_call_of(one)); });
    }

    void leave(BasicBlock &block, Instruction &last, const State &state) {
        if (isa<UnreachableInst>(last))
            return;
        if (!isa<BranchInst>(last) && !isa<SwitchInst>(last))
            return end(last, state, isa<ReturnInst>(last) ? "the function returns" : "there is another way to leave");
        for (BasicBlock *next :
             abstract::possible_successors(last, [&](const Value &value) { return known(state, value); })) {
            if (is_contained(state.passed, next))
                return fail("there is a loop between the calls");
            State there = state;
            abstract::take_phis(
                block, *next, [&](const Value &value) { return known(state, value); },
                [&](const PHINode &phi, const Known &is) { set(there, phi, is); });
            follow(*next, &*next->getFirstNonPHIIt(), std::move(there));
        }
    }

    // ---- what others could see, or what could learn of them ----

    std::string is_loud(const Instruction &one) const {
        if (const auto *call = dyn_cast<CallInst>(&one))
            return call_is_loud(*call);
        if (ends_stretch(one) != Ends::no || one.isEHPad() || isa<CallBase>(one))
            return "there is a volatile or atomic access, or assembler";
        const auto *store = dyn_cast<StoreInst>(&one);
        if (store && may_jump_ && !is_local(store->getPointerOperand()))
            return "memory is written, which a signal's handler that jumps would not find so";
        return {};
    }

    std::string call_is_loud(const CallInst &call) const {
        if (call.isLifetimeStartOrEnd() || call.isDebugOrPseudoInst() || isa<AssumeInst>(call) ||
            isa<NoAliasScopeDeclInst>(call))
            return {};
        const Function *callee = call.getCalledFunction();
        if (!callee)
            return call.isInlineAsm() ? "there is assembler" : "a function is called through a pointer";
        const auto *filled = dyn_cast<MemIntrinsic>(&call);
        const bool is_hidden = !may_jump_ || call.onlyReadsMemory() || (filled && is_local(filled->getDest())) ||
                               !call.mayWriteToMemory() || isNoAliasCall(&call);
        if (!callee->isDeclaration() || call.doesNotReturn() || !call.doesNotThrow() || !is_hidden ||
            ends_stretch(call) != Ends::no)
            return callee->getName().str() + " is called";
        return {};
    }

    // ---- what is known behind an instruction ----

    void look_at(Instruction &one, State &state) {
        if (const auto *load = dyn_cast<LoadInst>(&one))
            return set(state, one,
                       load->getType()->isIntegerTy()
                           ? state.cells.at(*load->getPointerOperand(), layout_.getTypeStoreSize(load->getType()))
                           : Known{});
        if (const auto *store = dyn_cast<StoreInst>(&one))
            return state.cells.store(*store, known(state, *store->getValueOperand()));
        if (const auto *call = dyn_cast<CallBase>(&one))
            return state.cells.call(*call);
        set(state, one, value_of(one, state));
    }

    Known value_of(const Instruction &one, const State &state) const {
        if (!one.getType()->isIntegerTy())
            return {};
        const bool is_computed = isa<BinaryOperator, CastInst, ICmpInst>(one);
        if (is_computed && any_of(one.operands(), [&](const Use &use) { return known(state, *use).base; }))
            return of_descriptor(one, state);
        return abstract::evaluate(one, [&](const Value &value) { return known(state, value); }).value_or(Known{});
    }

    // A descriptor is no negative number.
    static Known of_descriptor(const Instruction &one, const State &state) {
        if (isa<CastInst>(one))
            return one.getType()->getIntegerBitWidth() >= descriptor_bits ? known(state, *one.getOperand(0)) : Known{};
        const auto as_number = [&](const Value &value) {
            Known is = known(state, value);
            if (const unsigned width = value.getType()->getIntegerBitWidth(); is.base)
                is = {nullptr, ConstantRange(APInt(width, 0), APInt::getOneBitSet(width, descriptor_bits - 1))};
            return is;
        };
        return isa<ICmpInst>(one) ? abstract::evaluate(one, as_number).value_or(Known{}) : Known{};
    }

    // ---- the calls themselves ----

    // Whether it can be left out: it does to the new descriptor what a flag of its maker does, or tells what is known.
    bool take(CallInst &call, State &state) {
        const uint32_t number = system_call_of(call);
        const bool is_wanted = is_contained(wanted_, number) && !is_contained(state.met, number);
        if (!is_wanted || !called_system_call(call) || call.arg_size() < 2 || call.hasOperandBundles())
            return false;
        const std::optional<uint64_t> of = descriptor_of(known(state, *call.getArgOperand(0)));
        const Known what = known(state, *call.getArgOperand(1));
        if (!of || !what.number())
            return false;
        const std::optional<int64_t> result = act_of(call) == knowledge::Act::controls_device
                                                  ? of_ioctl(call, *what.number(), state.flags[*of], state)
                                                  : of_fcntl(call, *what.number(), *of, state);
        if (!result)
            return false;
        state.met.push_back(number);
        const bool is_last = state.met.size() == wanted_.size();
        if (is_last)
            complete(state);
        const FlagWays::LeftOut entry = {*result, is_last};
        const auto [place, is_new] = found_.left_out.try_emplace(&call, entry);
        if (!is_new && (place->second.result != *result || place->second.is_last != is_last))
            fail("what a call gives isn't the same on all ways to it");
        if (!call.getType()->isVoidTy())
            state.values[&call] =
                abstract::number(APInt(call.getType()->getIntegerBitWidth(), static_cast<uint64_t>(*result), true));
        return true;
    }

    void complete(const State &state) {
        const uint32_t more = state.flags[0] & ~flags_at_first();
        if (is_pair() && state.flags[0] != state.flags[1])
            return fail("only one of both descriptors is given a flag");
        if (is_complete_ && found_.flags != more)
            return fail("which flags are set isn't the same on all ways");
        found_.flags = more;
        is_complete_ = true;
    }

    std::optional<uint64_t> argument(const CallInst &call, const State &state) const {
        const Known value = call.arg_size() > 2 ? known(state, *call.getArgOperand(2)) : Known{};
        return value.number() ? std::optional(value.number()->getZExtValue()) : std::nullopt;
    }

    // The flags only ever become more.
    std::optional<int64_t> set_flag(uint32_t &flags, uint32_t flag, bool on, bool is_possible) const {
        if (on ? !is_possible && (flags & flag) == 0 : (flags & flag) != 0)
            return std::nullopt;
        flags |= on ? flag : 0;
        return 0;
    }

    std::optional<int64_t> of_fcntl(const CallInst &call, const APInt &command, uint64_t of, State &state) {
        uint32_t &flags = state.flags[of];
        const int access = maker_.access[of];
        const std::optional<uint64_t> value = argument(call, state);
        switch (command.getZExtValue()) {
        case F_GETFD:
            return (flags & thalweg_crossing_closes_on_exec) != 0 ? FD_CLOEXEC : 0;
        case F_SETFD:
            if (!value || (*value & ~uint64_t{FD_CLOEXEC}) != 0)
                return std::nullopt;
            return set_flag(flags, thalweg_crossing_closes_on_exec, *value != 0, maker_.close_on_exec != 0);
        case F_GETFL:
            if (access < 0)
                return std::nullopt;
            found_.needs_status = true;
            return access | ((flags & thalweg_crossing_does_not_wait) != 0 ? O_NONBLOCK : 0);
        case F_SETFL:
            if (access < 0 || !value || (*value & settable_status & ~uint64_t{O_NONBLOCK}) != 0)
                return std::nullopt;
            return set_flag(flags, thalweg_crossing_does_not_wait, (*value & O_NONBLOCK) != 0, maker_.no_wait != 0);
        default:
            return std::nullopt;
        }
    }

    std::optional<int64_t> of_ioctl(const CallInst &call, const APInt &request, uint32_t &flags,
                                    const State &state) const {
        if (request.getZExtValue() == FIOCLEX)
            return set_flag(flags, thalweg_crossing_closes_on_exec, true, maker_.close_on_exec != 0);
        if (request.getZExtValue() != FIONBIO || call.arg_size() < 3 || maker_.access[0] < 0)
            return std::nullopt;
        const std::optional<bool> on = pointed_to(call.getArgOperand(2), call, state);
        return on ? set_flag(flags, thalweg_crossing_does_not_wait, *on, maker_.no_wait != 0) : std::nullopt;
    }

    // Whether the number there is not 0: of a constant, of a variable that was stored on this way, or that has one value only.
    std::optional<bool> pointed_to(const Value *pointer, const CallInst &call, const State &state) const {
        const Known held = state.cells.at(*pointer, 4);
        if (held.number())
            return !held.number()->isZero();
        int64_t offset = 0;
        const Value *base = GetPointerBaseWithConstantOffset(pointer, offset, layout_);
        if (const auto *constant = dyn_cast<GlobalVariable>(base); constant && offset == 0)
            if (constant->isConstant() && constant->hasDefinitiveInitializer())
                if (const auto *number = dyn_cast<ConstantInt>(constant->getInitializer()))
                    return !number->isZero();
        const auto *variable = dyn_cast<AllocaInst>(base);
        const ConstantInt *stored = nullptr;
        for (const User *user : variable &&offset == 0 ? variable->users()
                                                       : iterator_range<Value::const_user_iterator>(
                                                             pointer->user_end(), pointer->user_end())) {
            if (user == &call || cast<Instruction>(user)->isLifetimeStartOrEnd() || isa<LoadInst>(user))
                continue;
            const auto *store = dyn_cast<StoreInst>(user);
            const auto *number = store && store->getPointerOperand() == variable
                                     ? dyn_cast<ConstantInt>(store->getValueOperand())
                                     : nullptr;
            if (!number || (stored && stored != number))
                return std::nullopt;
            stored = number;
        }
        return stored ? std::optional(!stored->isZero()) : std::nullopt;
    }

    CallInst &call_;
    const DescriptorMaker &maker_;
    ArrayRef<uint32_t> wanted_;
    AAResults &aliases_;
    const DataLayout &layout_;
    FlagWays found_;
    std::string first_end_;
    unsigned steps_ = 0;
    bool is_complete_ = false;
    bool may_jump_ = false;
};

}  // namespace

const DescriptorMaker *maker_of(const CallBase &call) {
    const Function *callee = call.getCalledFunction();
    if (!callee || !callee->isDeclaration())
        return nullptr;
    const DescriptorMaker *maker = knowledge::descriptor_maker(std::string_view(callee->getName()));
    if (!maker || maker->wanted_argument < 0)
        return maker;
    const auto position = static_cast<unsigned>(maker->wanted_argument);
    const auto *given = position < call.arg_size() ? dyn_cast<ConstantInt>(call.getArgOperand(position)) : nullptr;
    return given && given->getSExtValue() == maker->wanted ? maker : nullptr;
}

FlagWays follow_descriptor(CallInst &call, const DescriptorMaker &maker, ArrayRef<uint32_t> wanted,
                           AAResults &aliases) {
    return Walk(call, maker, wanted, aliases).run();
}

}  // namespace thalweg::transform
