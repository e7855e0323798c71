// transform: descriptors are made with the flags that calls behind would set (decision fuse).
#include "transform/system_call/flags.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"

#include "abi/made_descriptor.h"
#include "transform/ir/abi.h"
#include "transform/system_call/descriptor_flags.h"
#include "transform/system_call/site.h"
#include "transform/system_call/trial.h"
#include "transform/system_call/unfold.h"

namespace thalweg::transform {

using namespace llvm;

namespace {

// Calls that are unfolded because they stand between the calls or hold them.
constexpr unsigned most_obstacles = 8;
constexpr uint64_t no_status_bit = 04000;  // O_NONBLOCK, as fcntl(2) has it on all machines that are served

// Puts the calls of one way of making a descriptor into code.
class Emitter {
  public:
    Emitter(CallInst &call, const DescriptorMaker &maker, const FlagWays &ways, GlobalVariable &state)
        : call_(call), maker_(maker), ways_(ways), state_(state), module_(*call.getModule()), builder_(&call) {
        IRBuilder<> entry(&*call.getFunction()->getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
        pending_ = entry.CreateAlloca(entry.getInt1Ty(), nullptr, "thalweg.flags_are_set");
        entry.CreateStore(entry.getFalse(), pending_);
        for (unsigned i = 0; i < (is_pair() ? 2U : 1U); ++i) {
            made_[i] = entry.CreateAlloca(entry.getInt32Ty(), nullptr, "thalweg.made");
            entry.CreateStore(entry.getInt32(UINT32_MAX), made_[i]);
        }
    }

    void emit() {
        for (const auto &[end, flags] : ways_.ends)
            take_back_before(*end, flags);
        for (const auto &[call, left_out] : ways_.left_out)
            leave_out(*call, left_out);
        make();
    }

  private:
    bool is_pair() const { return maker_.pair >= 0; }

    template <class Function>
    Value *call_of(const AbiSymbol<Function> &function, ArrayRef<Value *> arguments) {
        return builder_.CreateCall(declare(module_, function), arguments);
    }

    void take_back_before(Instruction &end, const FlagWays::End &there) {
        uint32_t all = 0;
        for (unsigned i = 0; i < (is_pair() ? 2U : 1U); ++i)
            all |= ways_.flags & ~there.flags[i];
        if (all == 0) {
            builder_.SetInsertPoint(&end);
            builder_.CreateStore(builder_.getFalse(), pending_);
            return;
        }
        builder_.SetInsertPoint(&end);
        Value *is_set = builder_.CreateLoad(builder_.getInt1Ty(), pending_);
        builder_.SetInsertPoint(SplitBlockAndInsertIfThen(is_set, &end, false));
        for (unsigned i = 0; i < (is_pair() ? 2U : 1U); ++i) {
            const uint32_t more = ways_.flags & ~there.flags[i];
            if (more != 0)
                call_of(ABI_SYMBOL(thalweg_crossing_take_back),
                        {&state_, builder_.CreateLoad(builder_.getInt32Ty(), made_[i]), builder_.getInt32(more)});
        }
        builder_.CreateStore(builder_.getFalse(), pending_);
    }

    void leave_out(CallInst &call, const FlagWays::LeftOut &left_out) {
        builder_.SetInsertPoint(&call);
        Value *is_set = builder_.CreateLoad(builder_.getInt1Ty(), pending_);
        Instruction *then = nullptr;
        Instruction *otherwise = nullptr;
        SplitBlockAndInsertIfThenElse(is_set, &call, &then, &otherwise);
        BasicBlock *behind = call.getParent();
        call.moveBefore(otherwise);
        if (left_out.is_last) {
            builder_.SetInsertPoint(then);
            builder_.CreateStore(builder_.getFalse(), pending_);
        }
        if (call.getType()->isVoidTy())
            return;
        builder_.SetInsertPoint(behind, behind->begin());
        PHINode *result = builder_.CreatePHI(call.getType(), 2);
        call.replaceAllUsesWith(result);
        result->addIncoming(ConstantInt::getSigned(call.getType(), left_out.result), then->getParent());
        result->addIncoming(&call, call.getParent());
    }

    uint64_t bits_of(uint32_t flags) const {
        return ((flags & thalweg_crossing_closes_on_exec) != 0 ? maker_.close_on_exec : 0) |
               ((flags & thalweg_crossing_does_not_wait) != 0 ? maker_.no_wait : 0);
    }

    // The flags that the program gives, where it gives any.
    Value *given_flags() const {
        const bool gives = maker_.flags < maker_.kept && maker_.flags < call_.arg_size();
        return gives ? call_.getArgOperand(maker_.flags) : nullptr;
    }

    // Whether nothing of what is to be set is set by flags that aren't known here.
    Value *may_flag() {
        Value *given = given_flags();
        Value *is_bare = builder_.getTrue();
        if (given && !isa<Constant>(given)) {
            Value *bits =
                builder_.CreateAnd(given, bits_of(thalweg_crossing_closes_on_exec | thalweg_crossing_does_not_wait));
            is_bare = builder_.CreateICmpEQ(bits, ConstantInt::get(given->getType(), 0));
        }
        Value *may =
            call_of(ABI_SYMBOL(thalweg_crossing_may_flag), {&state_, builder_.getInt32(ways_.ends.empty() ? 0 : 1)});
        bare_ = is_bare;
        return builder_.CreateAnd(may, is_bare);
    }

    CallInst *call_with_flags() {
        SmallVector<Value *, 6> arguments;
        SmallVector<Type *, 6> types;
        for (unsigned i = 0; i < call_.arg_size() && i < maker_.kept; ++i)
            arguments.push_back(call_.getArgOperand(i));
        Value *given = given_flags();
        Type *type = given ? given->getType() : builder_.getInt32Ty();
        Value *flags = ConstantInt::get(type, bits_of(ways_.flags));
        if (given)
            arguments[maker_.flags] = builder_.CreateOr(given, flags);
        else
            arguments.push_back(flags);
        arguments.append(maker_.zeros, builder_.getInt32(0));
        if (maker_.name == maker_.with_flags)
            return builder_.CreateCall(call_.getFunctionType(), call_.getCalledOperand(), arguments);
        for (const Value *one : arguments)
            types.push_back(one->getType());
        return builder_.CreateCall(module_.getOrInsertFunction(maker_.with_flags, other_type(types)), arguments);
    }

    // As the headers have it: fcntl takes what may come.
    FunctionType *other_type(SmallVectorImpl<Type *> &types) const {
        const bool is_variadic = maker_.zeros > 0;
        if (is_variadic)
            types.truncate(2);
        return FunctionType::get(call_.getType(), types, is_variadic);
    }

    Value *made(unsigned which, Value *result) {
        if (!is_pair())
            return result;
        Value *pair = call_.getArgOperand(static_cast<unsigned>(maker_.pair));
        return builder_.CreateLoad(builder_.getInt32Ty(),
                                   builder_.CreateConstGEP1_32(builder_.getInt32Ty(), pair, which));
    }

    // A kernel that has the call knows its flags; if it failed it would fail again, or has made the file that O_EXCL then finds there.
    Value *call_of_lacks_flags() {
        if (maker_.name == maker_.with_flags)
            return builder_.getFalse();
        return call_of(ABI_SYMBOL(thalweg_crossing_lacks_flags), {&state_});
    }

    void make() {
        BasicBlock *head = call_.getParent();
        BasicBlock *behind = SplitBlock(head, call_.getNextNode());
        BasicBlock *without = SplitBlock(head, &call_);
        LLVMContext &context = call_.getContext();
        Function *function = call_.getFunction();
        auto *with = BasicBlock::Create(context, "thalweg.with_flags", function, without);
        auto *ask = BasicBlock::Create(context, "thalweg.without_flags", function, without);
        auto *set = BasicBlock::Create(context, "thalweg.flags_set", function, without);

        builder_.SetInsertPoint(head->getTerminator());
        builder_.SetCurrentDebugLocation(call_.getDebugLoc());
        Value *may = may_flag();
        ReplaceInstWithInst(head->getTerminator(), BranchInst::Create(with, without, may));

        builder_.SetInsertPoint(with);
        CallInst *result = call_with_flags();
        Value *zero = ConstantInt::get(result->getType(), 0);
        builder_.CreateCondBr(builder_.CreateICmpSLT(result, zero), ask, set);

        builder_.SetInsertPoint(ask);
        Value *lacks = call_of_lacks_flags();
        builder_.CreateCondBr(lacks, without, behind);

        builder_.SetInsertPoint(set);
        builder_.CreateStore(builder_.getTrue(), pending_);
        for (unsigned i = 0; i < (is_pair() ? 2U : 1U); ++i)
            builder_.CreateStore(made(i, result), made_[i]);
        builder_.CreateBr(behind);

        builder_.SetInsertPoint(behind, behind->begin());
        PHINode *either = builder_.CreatePHI(call_.getType(), 3);
        call_.replaceAllUsesWith(either);
        either->addIncoming(result, ask);
        either->addIncoming(result, set);
        either->addIncoming(&call_, without);
        look(*without->getTerminator());
    }

    // Behind the call as it stands: what will take its place.
    void look(Instruction &end) {
        builder_.SetInsertPoint(&end);
        Value *is_made =
            builder_.CreateAnd(builder_.CreateICmpSGE(&call_, ConstantInt::get(call_.getType(), 0)), bare_);
        builder_.SetInsertPoint(SplitBlockAndInsertIfThen(is_made, &end, false));
        const auto *given = dyn_cast_or_null<ConstantInt>(given_flags());
        const uint64_t no_wait =
            given && maker_.no_wait != 0 && (given->getZExtValue() & maker_.no_wait) != 0 ? no_status_bit : 0;
        const int64_t status = ways_.needs_status ? maker_.access[0] | static_cast<int64_t>(no_wait) : -1;
        call_of(ABI_SYMBOL(thalweg_crossing_look),
                {&state_, made(0, &call_), builder_.getInt32(static_cast<uint32_t>(status))});
    }

    CallInst &call_;
    const DescriptorMaker &maker_;
    const FlagWays &ways_;
    GlobalVariable &state_;
    Module &module_;
    IRBuilder<> builder_;
    AllocaInst *pending_ = nullptr;
    AllocaInst *made_[2] = {};
    Value *bare_ = nullptr;
};

class FlagMaker {
  public:
    FlagMaker(const SystemCallGroup &group, Module &module, FunctionAnalysisManager &analyses)
        : group_(group), module_(module), analyses_(analyses) {}

    SystemCallResult run() {
        if (group_.others.empty())
            return {"no call that sets flags is named", {}, 0};
        if (std::string why_not = obstacle_to_other_calls(module_); !why_not.empty())
            return {std::move(why_not), {}, 0};
        const uint64_t before = module_.getInstructionCount();
        SmallSetVector<Function *, 8> makers;
        SmallSetVector<Function *, 8> holders;
        for (const CallBase *call : calls_at(module_, group_.first))
            makers.insert(const_cast<Function *>(call->getFunction()));
        holders = makers;
        for (const uint32_t number : group_.others)
            for (const CallBase *call : calls_at(module_, number))
                holders.insert(const_cast<Function *>(call->getFunction()));
        if (std::string why_not =
                change_on_trial(makers.getArrayRef(), holders.getArrayRef(), module_, analyses_,
                                [&](Function &copy, const std::string &name) { return make_in(copy, name); });
            !why_not.empty())
            return {std::move(why_not), {}, 0};
        return {{}, remarks_, static_cast<int64_t>(module_.getInstructionCount() - before)};
    }

  private:
    // Why it can't be done there; empty: it is done.
    std::string make_in(Function &function, const std::string &name) {
        SmallVector<Instruction *> calls;
        for (Instruction &one : instructions(function))
            if (system_call_of(one) == group_.first)
                calls.push_back(&one);
        std::string why_not = name + " makes no descriptor";
        bool any = false;
        for (Instruction *one : calls) {
            auto *call = dyn_cast<CallInst>(one);
            const DescriptorMaker *maker = call ? maker_of(*call) : nullptr;
            if (!maker || call->hasOperandBundles()) {
                why_not = call ? "what is called makes no descriptor that could be had with flags"
                               : "the descriptor is made where exceptions are caught";
                continue;
            }
            const FlagWays ways = ways_of(*call, *maker);
            if (!ways.why_not.empty()) {
                why_not = ways.why_not;
                continue;
            }
            tell(*call, *maker, ways, name);
            Emitter(*call, *maker, ways, make_state()).emit();
            analyses_.invalidate(function, PreservedAnalyses::none());
            any = true;
        }
        return any ? "" : why_not;
    }

    // With as many of the group's calls as come behind.
    FlagWays ways_of(CallInst &call, const DescriptorMaker &maker) {
        const ArrayRef<uint32_t> wanted(group_.others);
        FlagWays all = follow(call, maker, wanted);
        for (unsigned i = 0; i < most_obstacles && !all.why_not.empty() && all.obstacle; ++i) {
            if (!Unfolder::unfold_call(*all.obstacle))
                break;
            analyses_.invalidate(*call.getFunction(), PreservedAnalyses::none());
            all = follow(call, maker, wanted);
        }
        for (size_t less = wanted.size() - 1; less > 0 && !all.why_not.empty(); --less) {
            FlagWays some = follow(call, maker, wanted.take_front(less));
            if (some.why_not.empty())
                return some;
        }
        return all;
    }

    FlagWays follow(CallInst &call, const DescriptorMaker &maker, ArrayRef<uint32_t> wanted) {
        FlagWays ways = follow_descriptor(call, maker, wanted, analyses_.getResult<AAManager>(*call.getFunction()));
        const bool is_both = any_of(ways.left_out, [&](const auto &one) { return ways.ends.contains(one.first); });
        if (ways.why_not.empty() && is_both)
            ways.why_not = "what a call is about isn't the same on all ways to it";
        return ways;
    }

    void tell(const CallBase &call, const DescriptorMaker &maker, const FlagWays &ways, const std::string &name) {
        const StringRef called = called_name(call);
        const StringRef with_flags = maker.name == maker.with_flags ? called : StringRef(maker.with_flags);
        remarks_ += (made_++ == 0 ? "" : "; ") + std::to_string(ways.left_out.size()) + " calls behind " +
                    called.str() + " in " + name + " are left out, as " + with_flags.str() + " sets the flags";
    }

    GlobalVariable &make_state() {
        Type *type = storage_of<thalweg_crossing_maker>(module_.getContext());
        return *new GlobalVariable(module_, type, false, GlobalValue::InternalLinkage, Constant::getNullValue(type),
                                   "thalweg.maker." + Twine(group_.decision.id));
    }

    const SystemCallGroup &group_;
    Module &module_;
    FunctionAnalysisManager &analyses_;
    std::string remarks_;
    unsigned made_ = 0;
};

}  // namespace

SystemCallResult make_with_flags(const SystemCallGroup &group, Module &module, FunctionAnalysisManager &analyses) {
    return FlagMaker(group, module, analyses).run();
}

}  // namespace thalweg::transform
