// transform: what later remote calls are given, made in front of the first.
#include "transform/system_call/remote_arguments.h"

#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/Loads.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IntrinsicInst.h"

#include "transform/system_call/site.h"

namespace thalweg::transform {

using namespace llvm;

namespace {

// Values that are computed from values: a field's address in a structure of structures is not deeper.
constexpr unsigned deepest = 8;

const Value *object_of(const Value *pointer) { return getUnderlyingObject(pointer, /*MaxLookup=*/0); }

const Value *written_by(const Instruction &write) {
    if (const auto *store = dyn_cast<StoreInst>(&write))
        return store->getPointerOperand();
    return cast<MemIntrinsic>(write).getDest();
}

// Remote calls read arguments and write results, and keep neither's address.
bool keeps_address(const Use &use) {
    const User *user = use.getUser();
    if (isa<LoadInst>(user))
        return false;
    if (const auto *store = dyn_cast<StoreInst>(user))
        return store->getValueOperand() == use.get();
    if (const auto *call = dyn_cast<CallBase>(user)) {
        if (call->isLifetimeStartOrEnd() || isa<DbgInfoIntrinsic, MemIntrinsic>(call))
            return false;
        const unsigned at = call->isArgOperand(&use) ? call->getArgOperandNo(&use) : UINT_MAX;
        const bool of_remote = call->isIndirectCall() && marked_system_call(*call);
        return !of_remote || (at != remote_arguments && at != remote_results && at != remote_limit);
    }
    return !isa<ICmpInst>(user);
}

// Whether nothing but the function's own accesses and remote calls reach the variable.
bool is_own(const AllocaInst &variable) {
    SmallVector<const Value *, 8> addresses = {&variable};
    while (!addresses.empty())
        for (const Use &use : addresses.pop_back_val()->uses()) {
            if (isa<GetElementPtrInst>(use.getUser()))
                addresses.push_back(use.getUser());
            else if (keeps_address(use))
                return false;
        }
    return true;
}

bool is_computed(const Instruction &one) {
    return isa<GetElementPtrInst, CastInst, BinaryOperator, CmpInst, SelectInst>(one) &&
           isSafeToSpeculativelyExecute(&one);
}

// Null: it isn't at a known distance from the variable's beginning.
bool offset_in(const AllocaInst &variable, const Value *pointer, APInt &offset) {
    const DataLayout &layout = variable.getDataLayout();
    offset = APInt(layout.getIndexTypeSizeInBits(pointer->getType()), 0);
    return pointer->stripAndAccumulateConstantOffsets(layout, offset, true) == &variable;
}

}  // namespace

EarlyArguments::EarlyArguments(const RemoteTrace &trace, const DominatorTree &tree) : trace_(trace), tree_(tree) {
    results_.insert(object_of(trace.calls.front()->getArgOperand(remote_results)));
}

std::string EarlyArguments::obstacle(unsigned index) {
    const CallInst &first = *trace_.calls.front();
    const CallInst &call = *trace_.calls[index];
    const Value *object = object_of(call.getArgOperand(remote_arguments));
    if (!tree_.dominates(&first, &call))
        return "it is reached without the first";
    if (results_.contains(object) && isIdentifiedObject(object))
        return "its arguments are the results of one before";
    results_.insert(object_of(call.getArgOperand(remote_results)));
    if (std::string why = judge_writes(index); !why.empty())
        return why;
    if (!is_same(call.getArgOperand(remote_client), first.getArgOperand(remote_client)))
        return "its client may be another one";
    if (!isa<Function>(call.getArgOperand(remote_encode)))
        return "how its arguments are written isn't known";
    const auto *variable = dyn_cast<AllocaInst>(object);
    if (!written_.contains(object))
        return is_early(call.getArgOperand(remote_arguments)) ? "" : "its arguments aren't known at the first";
    APInt offset;
    if (!variable || results_.contains(object) || !variable->isStaticAlloca() || variable->isArrayAllocation() ||
        !offset_in(*variable, call.getArgOperand(remote_arguments), offset))
        return "its arguments are written between";
    for (const RemoteTrace::Step &step : trace_.writes)
        if (step.behind <= index && object_of(written_by(*step.instruction)) == object &&
            !is_early_write(*step.instruction, *object))
            return "what is written into its arguments isn't known at the first";
    return {};
}

std::string EarlyArguments::judge_writes(unsigned index) {
    for (; judged_ < trace_.writes.size() && trace_.writes[judged_].behind <= index; ++judged_) {
        const Instruction &write = *trace_.writes[judged_].instruction;
        const Value *object = isa<StoreInst, MemIntrinsic>(write) ? object_of(written_by(write)) : nullptr;
        const auto *variable = dyn_cast_or_null<AllocaInst>(object);
        if (!object || (!results_.contains(object) && (!variable || !is_own(*variable))))
            return "memory that others may read is written between";
        written_.insert(object);
    }
    return {};
}

bool EarlyArguments::is_unchanged(const Value *pointer) const {
    const Value *object = object_of(pointer);
    return !written_.contains(object) && !results_.contains(object);
}

bool EarlyArguments::is_early(Value *value, unsigned depth) const {
    CallInst &first = *trace_.calls.front();
    auto *one = dyn_cast<Instruction>(value);
    if (!one || tree_.dominates(one, &first))
        return true;
    if (depth == deepest)
        return false;
    if (auto *load = dyn_cast<LoadInst>(one))
        return load->isSimple() && is_unchanged(load->getPointerOperand()) &&
               isIdentifiedObject(object_of(load->getPointerOperand())) &&
               isSafeToLoadUnconditionally(load->getPointerOperand(), load->getType(), load->getAlign(),
                                           load->getDataLayout(), &first) &&
               is_early(load->getPointerOperand(), depth + 1);
    return is_computed(*one) && all_of(one->operands(), [&](Value *operand) { return is_early(operand, depth + 1); });
}

bool EarlyArguments::is_early_write(const Instruction &write, const Value &object) const {
    APInt offset;
    if (!offset_in(cast<AllocaInst>(object), written_by(write), offset))
        return false;
    if (const auto *store = dyn_cast<StoreInst>(&write))
        return is_early(const_cast<Value *>(store->getValueOperand()));
    const auto &whole = cast<MemIntrinsic>(write);
    if (!isa<ConstantInt>(whole.getLength()))
        return false;
    if (const auto *filled = dyn_cast<MemSetInst>(&write))
        return is_early(const_cast<Value *>(filled->getValue()));
    const auto *copied = dyn_cast<MemCpyInst>(&write);
    const auto *from = copied ? dyn_cast<GlobalVariable>(object_of(copied->getRawSource())) : nullptr;
    return from && from->isConstant() && is_early(const_cast<Value *>(copied->getRawSource()));
}

bool EarlyArguments::is_same(Value *one, Value *other, unsigned depth) const {
    const DataLayout &layout = trace_.calls.front()->getDataLayout();
    APInt offset(layout.getIndexTypeSizeInBits(one->getType()), 0);
    APInt other_offset = offset;
    one = one->stripAndAccumulateConstantOffsets(layout, offset, true);
    other = other->stripAndAccumulateConstantOffsets(layout, other_offset, true);
    if (offset != other_offset)
        return false;
    if (one == other)
        return true;
    const auto *load = dyn_cast<LoadInst>(one);
    const auto *other_load = dyn_cast<LoadInst>(other);
    return load && other_load && load->isSimple() && other_load->isSimple() && depth < deepest &&
           is_unchanged(load->getPointerOperand()) &&
           is_same(load->getOperandUse(0).get(), other_load->getOperandUse(0).get(), depth + 1);
}

Value *EarlyArguments::early(Value *value, IRBuilder<> &builder) {
    auto *one = dyn_cast<Instruction>(value);
    if (!one || tree_.dominates(one, trace_.calls.front()))
        return value;
    if (const auto found = made_.find(value); found != made_.end())
        return found->second;
    SmallVector<Value *, 4> operands;
    for (Value *operand : one->operands())
        operands.push_back(early(operand, builder));
    Instruction *made = one->clone();
    made->dropUnknownNonDebugMetadata();
    for (unsigned i = 0; i < operands.size(); ++i)
        made->setOperand(i, operands[i]);
    builder.Insert(made);
    made_[value] = made;
    return made;
}

Value *EarlyArguments::make_copy(AllocaInst &object, unsigned index, IRBuilder<> &builder) {
    const DataLayout &layout = object.getDataLayout();
    IRBuilder<> entry(&object);
    AllocaInst *copy = entry.CreateAlloca(object.getAllocatedType(), nullptr, "early");
    copy->setAlignment(object.getAlign());
    builder.CreateMemCpy(copy, copy->getAlign(), &object, object.getAlign(),
                         layout.getTypeAllocSize(object.getAllocatedType()).getFixedValue());
    for (const RemoteTrace::Step &step : trace_.writes) {
        Instruction &write = *step.instruction;
        APInt offset;
        if (step.behind > index || object_of(written_by(write)) != &object ||
            !offset_in(object, written_by(write), offset))
            continue;
        Value *place = builder.CreatePtrAdd(copy, builder.getInt64(offset.getZExtValue()));
        if (auto *store = dyn_cast<StoreInst>(&write))
            builder.CreateAlignedStore(early(store->getValueOperand(), builder), place, Align(1));
        else if (auto *filled = dyn_cast<MemSetInst>(&write))
            builder.CreateMemSet(place, early(filled->getValue(), builder), filled->getLength(), MaybeAlign(1));
        else if (auto *copied = dyn_cast<MemCpyInst>(&write))
            builder.CreateMemCpy(place, MaybeAlign(1), early(copied->getRawSource(), builder), MaybeAlign(1),
                                 copied->getLength());
    }
    return copy;
}

Value *EarlyArguments::make(unsigned index, IRBuilder<> &builder) {
    Value *arguments = trace_.calls[index]->getArgOperand(remote_arguments);
    auto *object = dyn_cast<AllocaInst>(const_cast<Value *>(object_of(arguments)));
    const bool is_written_before =
        object && any_of(trace_.writes, [&](const RemoteTrace::Step &step) {
            return step.behind <= index && object_of(written_by(*step.instruction)) == object;
        });
    if (!is_written_before)
        return early(arguments, builder);
    APInt offset;
    offset_in(*object, arguments, offset);
    return builder.CreatePtrAdd(make_copy(*object, index, builder), builder.getInt64(offset.getZExtValue()));
}

}  // namespace thalweg::transform
