// transform: a function and what it calls, in a module of their own.
#pragma once

#include <memory>

#include "llvm/ADT/ArrayRef.h"

namespace llvm {
class Function;
class Module;
}  // namespace llvm

namespace thalweg::transform {

// Copies of the bodies, without debug information, of what they use the declarations, and the content of constants. The first function is the one that
// others can call. Module flags and the profile's summary are there too. Null: a block's address is taken somewhere in it, which has no meaning
// elsewhere.
std::unique_ptr<llvm::Module> extract(llvm::ArrayRef<llvm::Function *> functions);

}  // namespace thalweg::transform
