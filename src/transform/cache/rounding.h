// transform: whether a program changes how floating-point numbers are computed, or asks what came of it besides the result.
#pragma once

#include <string>

#include "llvm/IR/Module.h"

namespace thalweg::transform::cache {

// What of the program sets the rounding mode, reads the exceptions' flags or has exceptions trap; empty: nothing does. With any of it the
// same operands give other results, or a computation that is left out is missed. What a shared library does is not seen.
std::string user_of_float_environment(const llvm::Module &module);

// Whether this depends on the rounding mode, or may raise a flag.
bool rounds(const llvm::Instruction &instruction);

}  // namespace thalweg::transform::cache
