// transform: accesses to events and frames, known by the type that clang says of them.
#pragma once

#include "llvm/IR/Instructions.h"

namespace thalweg::transform {

// Whether the access says that it is one to a member of a thalweg_core.
bool is_in_core(const llvm::Instruction &access);
// ... or of a thalweg_frame.
bool is_in_frame(const llvm::Instruction &access);

// A raise's frame on the stack: an event says where it is.
bool is_frame(const llvm::Value *object);

}  // namespace thalweg::transform
