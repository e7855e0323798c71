// transform: the guard of a function whose results are kept, the way that hands them out, and the way that computes them.
#include "transform/cache/guard.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"

#include "transform/ir/function_effects.h"
#include "transform/ir/hot_path.h"

namespace thalweg::transform::cache {

using namespace llvm;

namespace {

// What lies in a thread's memory. `busy`: it is just being looked at or filled. A signal handler that comes then and calls the function
// finds it so, and computes without it; so does everyone after a handler that never came back.
enum Kept : uint8_t { nothing = 0, something = 1, busy = 2 };

// Of each thing that is kept; it makes vectors' loads aligned.
constexpr uint64_t kept_align = 16;

struct Place {
    const Area *area;
    Bytes bytes;
    uint64_t at;
    uint64_t size() const { return static_cast<uint64_t>(bytes.end - bytes.first); }
};

// What lies where in a thread's memory.
struct Layout {
    Layout(const Function &function, const Footprint &footprint) {
        const DataLayout &data = function.getDataLayout();
        for (const unsigned value : footprint.values)
            values.push_back(place(data.getTypeStoreSize(function.getArg(value)->getType())));
        for (const Area &area : footprint.areas) {
            for (const Bytes &run : area.inputs.runs())
                inputs.push_back({&area, run, place(static_cast<uint64_t>(run.end - run.first))});
            for (const Bytes &run : area.results.runs())
                results.push_back({&area, run, place(static_cast<uint64_t>(run.end - run.first))});
        }
        if (!function.getReturnType()->isVoidTy())
            returned = place(data.getTypeStoreSize(function.getReturnType()));
    }

    uint64_t place(uint64_t bytes) {
        const uint64_t at = alignTo(size, Align(kept_align));
        size = at + bytes;
        return at;
    }

    std::vector<uint64_t> values;
    std::vector<Place> inputs;
    std::vector<Place> results;
    uint64_t returned = 0;
    uint64_t size = 1;  // behind the state
};

class Guard {
  public:
    Guard(Function &function, const Footprint &footprint)
        : function_(function), footprint_(footprint), module_(*function.getParent()), layout_(function, footprint),
          builder_(function.getContext()) {}

    uint32_t write(uint32_t decision, GuardCounter &counter) {
        move_body();
        make_variable();
        BasicBlock *entry = add_block("entry");
        BasicBlock *usable = add_block("usable");
        BasicBlock *compare = add_block("compare");
        BasicBlock *kept = add_block("kept");
        BasicBlock *computes = add_block("computes");
        BasicBlock *plain = add_block("plain");
        builder_.SetInsertPoint(entry);
        test_entry(*usable, *plain);
        builder_.SetInsertPoint(usable);
        // Nothing of what follows may be moved up over this, nothing before it down.
        set_state(busy);
        freeze_values();
        Value *has_something = builder_.CreateICmpEQ(state_, builder_.getInt8(something));
        builder_.CreateCondBr(has_something, compare, computes);
        builder_.SetInsertPoint(compare);
        compare_inputs(*kept, *computes);
        builder_.SetInsertPoint(kept);
        hand_out();
        builder_.SetInsertPoint(computes);
        keep_inputs();
        keep_results(*call_body(arguments_));
        builder_.SetInsertPoint(plain);
        SmallVector<Value *, 8> as_given;
        for (Argument &argument : function_.args())
            as_given.push_back(&argument);
        give_back(call_body(as_given));
        counter.count(kept, decision, true);
        counter.count(computes, decision, false);
        counter.count(plain, decision, false);
        return function_.getInstructionCount();
    }

  private:
    BasicBlock *add_block(const char *name) {
        return BasicBlock::Create(function_.getContext(), Twine("thalweg.") + name, &function_);
    }

    // The function's own name and all that calls it go to the guard.
    void move_body() {
        body_ = Function::Create(function_.getFunctionType(), GlobalValue::InternalLinkage, function_.getAddressSpace(),
                                 function_.getName() + ".thalweg.computed", &module_);
        body_->copyAttributesFrom(&function_);
        body_->setComdat(nullptr);
        body_->setVisibility(GlobalValue::DefaultVisibility);
        body_->setDLLStorageClass(GlobalValue::DefaultStorageClass);
        body_->setDSOLocal(true);
        body_->removeFnAttr(Attribute::AlwaysInline);
        body_->removeFnAttr(Attribute::InlineHint);
        body_->addFnAttr(Attribute::NoInline);
        body_->splice(body_->begin(), &function_);
        // In a caller whose variables LLVM sees through, it would leave out to keep what nobody defined.
        function_.removeFnAttr(Attribute::AlwaysInline);
        function_.removeFnAttr(Attribute::InlineHint);
        function_.addFnAttr(Attribute::NoInline);
        for (Argument &argument : function_.args()) {
            Argument *moved = body_->getArg(argument.getArgNo());
            argument.replaceAllUsesWith(moved);
            moved->takeName(&argument);
        }
        body_->setSubprogram(function_.getSubprogram());
        function_.setSubprogram(nullptr);
        forget_effects_of_callers(function_);
    }

    void make_variable() {
        Type *type = ArrayType::get(builder_.getInt8Ty(), layout_.size);
        variable_ =
            new GlobalVariable(module_, type, false, GlobalValue::InternalLinkage, Constant::getNullValue(type),
                               function_.getName() + ".thalweg.kept", nullptr, GlobalValue::GeneralDynamicTLSModel);
        variable_->setAlignment(Align(kept_align));
        variable_->setDSOLocal(true);
    }

    Value *base(const Area &area) {
        return area.variable ? static_cast<Value *>(area.variable) : function_.getArg(area.argument);
    }
    Value *in_program(const Place &place) {
        return builder_.CreateConstGEP1_64(builder_.getInt8Ty(), base(*place.area),
                                           static_cast<uint64_t>(place.bytes.first));
    }
    Value *in_kept(uint64_t at) { return builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), memory_, at); }

    void set_state(Kept state) {
        if (state != busy)
            builder_.CreateFence(AtomicOrdering::SequentiallyConsistent, SyncScope::SingleThread);
        builder_.CreateStore(builder_.getInt8(state), memory_, true);
        if (state == busy)
            builder_.CreateFence(AtomicOrdering::SequentiallyConsistent, SyncScope::SingleThread);
    }

    // What can be said before any memory of the program's is read.
    void test_entry(BasicBlock &usable, BasicBlock &plain) {
        memory_ = builder_.CreateThreadLocalAddress(variable_);
        state_ = builder_.CreateLoad(builder_.getInt8Ty(), memory_, true, "state");
        Value *holds = builder_.CreateICmpNE(state_, builder_.getInt8(busy));
        for (const unsigned argument : footprint_.not_null)
            holds =
                builder_.CreateAnd(holds, builder_.CreateIsNotNull(builder_.CreateFreeze(function_.getArg(argument))));
        for (size_t i = 0; i < footprint_.areas.size(); ++i)
            for (size_t k = 0; k < i; ++k)
                if (Value *apart = lie_apart(footprint_.areas[k], footprint_.areas[i]))
                    holds = builder_.CreateAnd(holds, apart);
        builder_.CreateCondBr(holds, &usable, &plain, likely(function_.getContext()));
    }

    // What is written to one changes nothing of the other. Nothing to be tested: null.
    Value *lie_apart(const Area &one, const Area &other) {
        if ((one.results.empty() && other.results.empty()) || one.own_copy || other.own_copy ||
            (one.variable && other.variable))
            return nullptr;
        const auto [one_first, one_end] = ends(one);
        const auto [other_first, other_end] = ends(other);
        return builder_.CreateOr(builder_.CreateICmpULE(one_end, other_first),
                                 builder_.CreateICmpULE(other_end, one_first));
    }

    std::pair<Value *, Value *> ends(const Area &area) {
        ByteSet all = area.inputs;
        all.add(area.results);
        Value *at = builder_.CreatePtrToInt(builder_.CreateFreeze(base(area)), builder_.getInt64Ty());
        return {builder_.CreateAdd(at, builder_.getInt64(static_cast<uint64_t>(all.runs().front().first))),
                builder_.CreateAdd(at, builder_.getInt64(static_cast<uint64_t>(all.runs().back().end)))};
    }

    // An argument that nobody defined is one and the same from here on: what is compared is what is computed with.
    void freeze_values() {
        for (Argument &argument : function_.args())
            arguments_.push_back(&argument);
        for (const unsigned value : footprint_.values)
            arguments_[value] = builder_.CreateFreeze(arguments_[value]);
    }

    Value *bits_of(Value *value) {
        Type *type = value->getType();
        return type->isFloatingPointTy() || type->isVectorTy()
                   ? builder_.CreateBitCast(value,
                                            builder_.getIntNTy(static_cast<unsigned>(type->getPrimitiveSizeInBits())))
                   : value;
    }

    void compare_inputs(BasicBlock &kept, BasicBlock &computes) {
        Value *equal = nullptr;
        for (size_t i = 0; i < footprint_.values.size(); ++i) {
            Value *now = bits_of(arguments_[footprint_.values[i]]);
            Value *same = builder_.CreateICmpEQ(now, builder_.CreateLoad(now->getType(), in_kept(layout_.values[i])));
            equal = equal ? builder_.CreateAnd(equal, same) : same;
        }
        for (const Place &place : layout_.inputs) {
            BasicBlock *next = BasicBlock::Create(function_.getContext(), "thalweg.compare", &function_, &kept);
            if (equal)
                builder_.CreateCondBr(equal, next, &computes);
            else
                builder_.CreateBr(next);
            builder_.SetInsertPoint(next);
            Value *difference = builder_.CreateCall(
                compare_function(), {in_program(place), in_kept(place.at), builder_.getInt64(place.size())});
            equal = builder_.CreateICmpEQ(builder_.CreateFreeze(difference), builder_.getInt32(0));
        }
        if (equal)
            builder_.CreateCondBr(equal, &kept, &computes, likely(function_.getContext()));
        else
            builder_.CreateBr(&kept);
    }

    FunctionCallee compare_function() {
        LLVMContext &context = function_.getContext();
        AttributeList attributes;
        attributes = attributes.addFnAttribute(context, Attribute::NoUnwind);
        attributes = attributes.addFnAttribute(context, Attribute::WillReturn);
        attributes = attributes.addFnAttribute(
            context, Attribute::getWithMemoryEffects(context, MemoryEffects::argMemOnly(ModRefInfo::Ref)));
        return module_.getOrInsertFunction("memcmp", attributes, builder_.getInt32Ty(), builder_.getPtrTy(),
                                           builder_.getPtrTy(), builder_.getInt64Ty());
    }

    void hand_out() {
        for (const Place &place : layout_.results)
            builder_.CreateMemCpy(in_program(place), Align(1), in_kept(place.at), Align(kept_align), place.size());
        Value *value = nullptr;
        if (!function_.getReturnType()->isVoidTy())
            value = builder_.CreateLoad(function_.getReturnType(), in_kept(layout_.returned));
        set_state(something);
        give_back(value);
    }

    void keep_inputs() {
        for (size_t i = 0; i < footprint_.values.size(); ++i)
            builder_.CreateStore(bits_of(arguments_[footprint_.values[i]]), in_kept(layout_.values[i]));
        for (const Place &place : layout_.inputs)
            builder_.CreateMemCpy(in_kept(place.at), Align(kept_align), in_program(place), Align(1), place.size());
    }

    void keep_results(CallInst &computed) {
        for (const Place &place : layout_.results)
            builder_.CreateMemCpy(in_kept(place.at), Align(kept_align), in_program(place), Align(1), place.size());
        if (!computed.getType()->isVoidTy())
            builder_.CreateStore(&computed, in_kept(layout_.returned));
        set_state(something);
        give_back(&computed);
    }

    CallInst *call_body(ArrayRef<Value *> arguments) {
        SmallVector<AttributeSet, 8> attributes;
        for (unsigned i = 0; i < arguments.size(); ++i)
            attributes.push_back(body_->getAttributes().getParamAttrs(i));
        CallInst *call = builder_.CreateCall(body_, arguments);
        call->setCallingConv(body_->getCallingConv());
        call->setAttributes(AttributeList::get(function_.getContext(), AttributeSet(),
                                               body_->getAttributes().getRetAttrs(), attributes));
        return call;
    }

    void give_back(Value *value) {
        if (function_.getReturnType()->isVoidTy())
            builder_.CreateRetVoid();
        else
            builder_.CreateRet(value);
    }

    Function &function_;
    const Footprint &footprint_;
    Module &module_;
    const Layout layout_;
    IRBuilder<> builder_;
    Function *body_ = nullptr;
    GlobalVariable *variable_ = nullptr;
    Value *memory_ = nullptr;
    Value *state_ = nullptr;
    SmallVector<Value *, 8> arguments_;
};

}  // namespace

uint64_t kept_bytes(const Function &function, const Footprint &footprint) {
    return alignTo(Layout(function, footprint).size, Align(kept_align));
}

uint32_t keep_results(Function &function, const Footprint &footprint, uint32_t decision, GuardCounter &counter) {
    return Guard(function, footprint).write(decision, counter);
}

}  // namespace thalweg::transform::cache
