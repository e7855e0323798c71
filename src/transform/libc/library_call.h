// transform: what is asked of a call of the C library before it becomes code of the program's own.
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/InstrTypes.h"

namespace thalweg::transform {

// The metadata of a call that is a site of the program: its number (find_system_calls).
inline constexpr llvm::StringLiteral site_of_call = "thalweg.system_call";

// The type of the argument at `position`, if it is that of a C program on a 64-bit system; a position of less than 0 asks for none.
bool is_pointer(const llvm::CallBase &call, int position);
bool is_integer(const llvm::CallBase &call, int position, unsigned bits);

// Whether its callee, which it names, is the C library's as far as the compiler knows, and may be called again by these arguments alone, from another
// function.
bool is_plain_library_call(const llvm::CallBase &call);

}  // namespace thalweg::transform
