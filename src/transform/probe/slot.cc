// transform: the slots of a thread's probes.
#include "transform/probe/slot.h"

#include "llvm/IR/MDBuilder.h"

namespace thalweg::transform {

using namespace llvm;

namespace {

// One in so many takes the branch, as LLVM is told. The recorder's gaps are longer (src/recorder/thread.h).
constexpr uint32_t rarely = 1000;
// Of a thalweg_probe_slot.
constexpr uint64_t slot_bits = 5;
constexpr uint64_t slot_bytes = uint64_t{1} << slot_bits;

Slots declare(Module &module, const char *pointer_name, const char *count_name, const char *first_name) {
    LLVMContext &context = module.getContext();
    auto *of_thread = cast<GlobalVariable>(module.getOrInsertGlobal(pointer_name, PointerType::getUnqual(context)));
    of_thread->setThreadLocalMode(GlobalValue::InitialExecTLSModel);
    return {count_name, first_name, of_thread, 0};
}

// The bytes of the address that choose: slots are as large as the smallest objects, nearly, so that neighbours have their own.
Value *offset_of(IRBuilder<> &builder, const SlotChoice &choice) {
    const uint64_t mask = (choice.count - 1) * slot_bytes;
    return builder.CreateAnd(builder.CreatePtrToInt(choice.address, builder.getInt64Ty()), mask);
}

Value *slot_at(IRBuilder<> &builder, const Slots &slots, const SlotChoice &choice) {
    Value *table = builder.CreateLoad(builder.getPtrTy(), builder.CreateThreadLocalAddress(slots.of_thread));
    Value *slot = builder.CreateConstGEP1_64(builder.getInt8Ty(), table, choice.first * slot_bytes);
    return choice.address ? builder.CreateGEP(builder.getInt8Ty(), slot, offset_of(builder, choice)) : slot;
}

}  // namespace

Slots dispatch_slots(Module &module) {
    return declare(module, "thalweg_probe_slots", "thalweg_probe_slot_count", "thalweg_probe_first_slots");
}

Slots entry_slots(Module &module) {
    return declare(module, "thalweg_probe_entries", "thalweg_probe_entry_count", "thalweg_probe_first_entries");
}

void emit_slots(Module &module, const Slots &slots) {
    if (slots.count == 0)
        return;
    LLVMContext &context = module.getContext();
    Type *i64 = Type::getInt64Ty(context);
    Type *table = ArrayType::get(Type::getInt8Ty(context), slots.count * slot_bytes);
    auto *first = new GlobalVariable(module, table, false, GlobalValue::ExternalLinkage,
                                     ConstantAggregateZero::get(table), slots.first_name);
    first->setAlignment(Align(slot_bytes));
    auto *count = new GlobalVariable(module, i64, true, GlobalValue::ExternalLinkage,
                                     ConstantInt::get(i64, slots.count), slots.count_name);
    for (GlobalVariable *variable : {first, count})
        variable->setVisibility(GlobalValue::HiddenVisibility);
}

Value *count_down(IRBuilder<> &builder, const Slots &slots, const SlotChoice &choice) {
    Value *slot = slot_at(builder, slots, choice);
    Value *left = builder.CreateSub(builder.CreateLoad(builder.getInt32Ty(), slot), builder.getInt32(1));
    builder.CreateStore(left, slot);
    return builder.CreateICmpSLT(left, builder.getInt32(0));
}

Value *left_in(IRBuilder<> &builder, const Slots &slots, uint32_t slot) {
    return builder.CreateLoad(builder.getInt32Ty(), slot_at(builder, slots, {slot, 1, nullptr}));
}

Value *number_of(IRBuilder<> &builder, const SlotChoice &choice) {
    Value *first = builder.getInt32(choice.first);
    if (!choice.address)
        return first;
    Value *further = builder.CreateLShr(offset_of(builder, choice), slot_bits);
    return builder.CreateAdd(first, builder.CreateTrunc(further, builder.getInt32Ty()));
}

MDNode *rarely_taken(LLVMContext &context) { return MDBuilder(context).createBranchWeights(1, rarely); }

}  // namespace thalweg::transform
