// transform: how a probe counts what passes and asks the recorder now and then (src/abi/probe.h): by the slots of the thread.
#pragma once

#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

#include "abi/probe.h"
#include "transform/ir/abi.h"

namespace thalweg::transform {

// What is counted in this way, and how many slots it has so far.
struct Slots {
    AbiSymbol<const uint64_t> count_of_all;
    AbiSymbol<thalweg_probe_slot[]> first;
    llvm::GlobalVariable *of_thread;  // the recorder's variable
    uint32_t count = 0;
};
Slots dispatch_slots(llvm::Module &module);
Slots entry_slots(llvm::Module &module);
// When all are taken: their number, and those where a thread begins. Nothing where there are none.
void emit_slots(llvm::Module &module, const Slots &slots);

// One slot, or of several one after the other the one that an address chooses.
struct SlotChoice {
    uint32_t first = 0;
    uint32_t count = 1;  // a power of two
    llvm::Value *address = nullptr;  // null: there is but one
};

// --slot.left < 0, which is rarely so: the branch on it should have the weights of rarely_taken.
llvm::Value *count_down(llvm::IRBuilder<> &builder, const Slots &slots, const SlotChoice &choice);
// What is left, unchanged.
llvm::Value *left_in(llvm::IRBuilder<> &builder, const Slots &slots, uint32_t slot);
// Its number, as the recorder is told.
llvm::Value *number_of(llvm::IRBuilder<> &builder, const SlotChoice &choice);
llvm::MDNode *rarely_taken(llvm::LLVMContext &context);

}  // namespace thalweg::transform
