// transform: from what a function touches on all its ways to what has to be compared and kept.
#include "transform/cache/footprint.h"

#include <algorithm>

#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/Cloning.h"

#include <fmt/format.h>

#include "transform/cache/run.h"
#include "transform/specializer/tidy.h"

namespace thalweg::transform::cache {

using namespace llvm;

namespace {

// Runs of bytes to be compared or copied, each with a call of its own or a few instructions.
constexpr size_t max_runs = 32;
// Functions that are taken together with those they call.
constexpr unsigned max_calls_inside = 200;
constexpr unsigned max_instructions_inside = 20000;

// A body in which all calls of the program's own functions are taken in, for looking at only.
class Whole {
  public:
    explicit Whole(Function &function) : function_(function) {
        ValueToValueMapTy map;
        body_ = CloneFunction(&function, map);
        body_->setLinkage(GlobalValue::InternalLinkage);
        body_->setComdat(nullptr);
    }
    ~Whole() { body_->eraseFromParent(); }
    Whole(const Whole &) = delete;
    Whole &operator=(const Whole &) = delete;

    Function &body() { return *body_; }

    void take_in() {
        unsigned instructions = body_->getInstructionCount();
        for (unsigned calls = 0; calls < max_calls_inside && instructions < max_instructions_inside; ++calls) {
            CallBase *call = next_call();
            if (!call)
                break;
            instructions += call->getCalledFunction()->getInstructionCount();
            InlineFunctionInfo info;
            if (!InlineFunction(*call, info).isSuccess())
                declined_.insert(call);
        }
        specializer::tidy(*body_);
    }

  private:
    CallBase *next_call() {
        for (Instruction &one : instructions(*body_))
            if (auto *call = dyn_cast<CallInst>(&one); call && !declined_.contains(call))
                if (const Function *callee = call->getCalledFunction();
                    callee && callee != &function_ && !callee->isDeclaration() && !callee->isInterposable() &&
                    !callee->hasAvailableExternallyLinkage() && !callee->hasFnAttribute(Attribute::StrictFP))
                    return call;
        return nullptr;
    }

    Function &function_;
    Function *body_;
    SmallPtrSet<const CallBase *, 4> declined_;
};

bool can_be_compared(const Type &type) {
    return type.isIntegerTy() || type.isFloatingPointTy() ||
           (type.isPointerTy() && type.getPointerAddressSpace() == 0) ||
           (isa<FixedVectorType>(type) && !type.getScalarType()->isPointerTy());
}

std::string unfit(const Function &function) {
    if (function.isVarArg())
        return "it takes a variable number of arguments";
    for (const Attribute::AttrKind kind :
         {Attribute::StrictFP, Attribute::Naked, Attribute::ReturnsTwice, Attribute::PresplitCoroutine})
        if (function.hasFnAttribute(kind))
            return "it is marked " + Attribute::getNameFromAttrKind(kind).str();
    if (any_of(function, [](const BasicBlock &block) { return block.hasAddressTaken(); }))
        return "it takes the address of a label";
    if (function.hasAvailableExternallyLinkage() || function.isInterposable())
        return "another function may stand in its place";
    for (const Argument &argument : function.args()) {
        if (!can_be_compared(*argument.getType()))
            return fmt::format("argument {} can't be compared", argument.getArgNo());
        for (const Attribute::AttrKind kind : {Attribute::InAlloca, Attribute::Preallocated, Attribute::SwiftError,
                                               Attribute::SwiftSelf, Attribute::Nest})
            if (argument.hasAttribute(kind))
                return fmt::format("argument {} is passed in a way of its own", argument.getArgNo());
    }
    if (const Type *type = function.getReturnType();
        !type->isVoidTy() && !type->isSingleValueType() && !type->isAggregateType())
        return "what it returns can't be kept";
    return {};
}

Footprint not_known(std::string why) {
    Footprint footprint;
    footprint.refused = std::move(why);
    return footprint;
}

bool first_in_order(const Area &one, const Area &other) {
    if (!one.variable || !other.variable)
        return std::pair(one.variable != nullptr, one.argument) < std::pair(other.variable != nullptr, other.argument);
    return one.variable->getName() < other.variable->getName();
}

}  // namespace

bool has_own_size(const GlobalVariable &variable) {
    return !variable.isDeclaration() && !variable.isInterposable() && variable.getValueType()->isSized();
}

// Bytes that may be looked at when the function is entered, because it will look at them whatever happens or because they are there.
ByteSet Run::readable(const Value &object) const {
    ByteSet bytes;
    for (const std::optional<State> *end : {&end_, &any_end_})
        if (*end) {
            const auto done = (*end)->done.find(&object);
            const ByteSet touched = done == (*end)->done.end() ? ByteSet() : done->second.touched;
            bytes = end == &end_ ? touched : bytes.common(touched);
        }
    if (const auto *argument = dyn_cast<Argument>(&object)) {
        bytes.add({0, static_cast<int64_t>(argument->getDereferenceableBytes())});
        if (argument->hasByValAttr())
            bytes.add({0, static_cast<int64_t>(layout_.getTypeAllocSize(argument->getParamByValType()))});
    } else if (const auto *variable = dyn_cast<GlobalVariable>(&object); variable && has_own_size(*variable)) {
        bytes.add({0, static_cast<int64_t>(layout_.getTypeAllocSize(variable->getValueType()))});
    }
    return bytes;
}

// What is written in some cases only is what it was in the others: it is an input too.
Area Run::area_of(const Value &object) const {
    Area area;
    if (const auto *argument = dyn_cast<Argument>(&object)) {
        area.argument = argument->getArgNo();
        area.own_copy = argument->hasByValAttr();
    } else {
        area.variable = const_cast<GlobalVariable *>(cast<GlobalVariable>(&object));
    }
    if (const auto read = first_read_.find(&object); read != first_read_.end())
        area.inputs.add(read->second);
    if (const auto written = may_write_.find(&object); written != may_write_.end()) {
        area.results = written->second;
        const auto done = end_->done.find(&object);
        area.inputs.add(done == end_->done.end() ? area.results : area.results.without(done->second.written));
    }
    return area;
}

Footprint Run::collect() const {
    if (!end_)
        return not_known("it does not return");
    Footprint footprint;
    footprint.instructions = instructions_;
    std::set<const Value *> objects;
    for (const auto *bytes : {&first_read_, &may_write_})
        for (const auto &[object, set] : *bytes)
            if (!set.empty())
                objects.insert(object);
    // By what they are in the program, not by where they lie in memory: the same program gives the same words.
    std::vector<std::pair<Area, const Value *>> areas;
    for (const Value *object : objects)
        areas.emplace_back(area_of(*object), object);
    std::sort(areas.begin(), areas.end(),
              [](const auto &one, const auto &other) { return first_in_order(one.first, other.first); });
    size_t runs = 0;
    for (auto &[area, object] : areas) {
        if (!readable(*object).covers(area.inputs))
            return not_known(fmt::format(
                "it uses memory of {} in some cases only, which may not be there in the others",
                area.variable ? area.variable->getName().str() : fmt::format("argument {}", area.argument)));
        footprint.input_bytes += area.inputs.size();
        footprint.result_bytes += area.results.size();
        runs += area.inputs.runs().size() + area.results.runs().size();
        footprint.areas.push_back(std::move(area));
    }
    for (const Argument &argument : function_.args())
        if ((!argument.getType()->isPointerTy() && !argument.use_empty()) || values_.contains(argument.getArgNo())) {
            footprint.values.push_back(argument.getArgNo());
            footprint.input_bytes += static_cast<int64_t>(layout_.getTypeStoreSize(argument.getType()));
        }
    footprint.not_null.assign(not_null_.begin(), not_null_.end());
    if (const Type *type = function_.getReturnType(); !type->isVoidTy())
        footprint.result_bytes += static_cast<int64_t>(layout_.getTypeStoreSize(const_cast<Type *>(type)));
    if (static_cast<uint64_t>(footprint.input_bytes + footprint.result_bytes) > max_kept_bytes)
        return not_known(fmt::format("{} bytes of inputs and {} of results are more than the {} that are kept",
                                     footprint.input_bytes, footprint.result_bytes, max_kept_bytes));
    if (runs > max_runs)
        return not_known(fmt::format("its inputs and results lie in {} places; {} are kept", runs, max_runs));
    return footprint;
}

Footprint Run::footprint() {
    do
        run_once();
    while (begin_again_ && refused_.empty());
    return refused_.empty() ? collect() : not_known(refused_);
}

Footprint footprint_of(Function &function, const std::string &float_environment) {
    if (std::string why = unfit(function); !why.empty())
        return not_known(why);
    Whole whole(function);
    whole.take_in();
    return Run(whole.body(), float_environment).footprint();
}

bool may_have_footprint(const Function &function) {
    if (!unfit(function).empty())
        return false;
    return all_of(instructions(function), [](const Instruction &one) {
        if (one.isVolatile() || one.isAtomic() || one.isEHPad())
            return false;
        const auto *call = dyn_cast<CallBase>(&one);
        if (!call || isa<IntrinsicInst>(call))
            return true;
        const Function *callee = call->getCalledFunction();
        return call->doesNotReturn() || (callee && (!callee->isDeclaration() || call->doesNotAccessMemory()));
    });
}

}  // namespace thalweg::transform::cache
