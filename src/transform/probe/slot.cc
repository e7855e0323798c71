// transform: the slots of a thread's probes.
#include "transform/probe/slot.h"

#include <bit>

#include "llvm/IR/MDBuilder.h"

namespace thalweg::transform {

using namespace llvm;

namespace {

// One in so many takes the branch, as LLVM is told. The recorder's gaps are longer (src/recorder/thread.h).
constexpr uint32_t rarely = 1000;
constexpr uint64_t slot_bytes = sizeof(thalweg_probe_slot);
static_assert(std::has_single_bit(slot_bytes) && offsetof(thalweg_probe_slot, left) == 0);

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
    return {ABI_SYMBOL(thalweg_probe_slot_count), ABI_SYMBOL(thalweg_probe_first_slots),
            declare_of_thread(module, ABI_SYMBOL(thalweg_probe_slots))};
}

Slots entry_slots(Module &module) {
    return {ABI_SYMBOL(thalweg_probe_entry_count), ABI_SYMBOL(thalweg_probe_first_entries),
            declare_of_thread(module, ABI_SYMBOL(thalweg_probe_entries))};
}

void emit_slots(Module &module, const Slots &slots) {
    if (slots.count == 0)
        return;
    Type *table = ArrayType::get(Type::getInt8Ty(module.getContext()), slots.count * slot_bytes);
    define(module, slots.first, ConstantAggregateZero::get(table))->setAlignment(Align(slot_bytes));
    define(module, slots.count_of_all, slots.count);
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
    Value *further = builder.CreateLShr(offset_of(builder, choice), std::countr_zero(slot_bytes));
    return builder.CreateAdd(first, builder.CreateTrunc(further, builder.getInt32Ty()));
}

MDNode *rarely_taken(LLVMContext &context) { return MDBuilder(context).createBranchWeights(1, rarely); }

}  // namespace thalweg::transform
