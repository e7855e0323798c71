// transform: whether a program changes how floating-point numbers are computed, or asks what came of it besides the result.
#pragma once

#include <string>

#include "llvm/IR/Module.h"

namespace thalweg::transform {

// What of the program sets the rounding mode, reads the exceptions' flags or has exceptions trap; empty: nothing does. With any of it the
// same operands give other results, or a computation that is left out is missed. Code of the program that isn't seen counts by what it
// calls (ir/use.h). What a shared library does is not seen; of one itself that computes with floating point, whoever loads it may do any of it.
std::string user_of_float_environment(const llvm::Module &module);

// Whether this depends on the rounding mode, or may raise a flag.
bool rounds(const llvm::Instruction &instruction);

// Notes it at each function that computes with floating point in such a program, and at each that is compiled as strict
// (`#pragma STDC FENV_ACCESS ON`, -frounding-math): the compiler would compute in the default mode, and raise no flag, what it learns of
// their operands. So nothing may be learnt of them: no layer and no line is made of them or holds them.
void note_rounding(llvm::Module &module);
void forget_rounding(llvm::Module &module);
// Why a function has to compute as it is written; empty: it may be specialised.
std::string why_rounding_stays(const llvm::Function &function);

// Of a shared library, of whose programs nobody knows whether they are such: nothing is learnt of functions that compute with floating point by
// those that call them, nor of what they call by them, so that link-time optimisation computes nothing that the library's own build did not.
void keep_apart_what_computes(llvm::Module &module);

// Of such a program, before passes that see all of it: no variable's content is known to them. Each of its files was compiled without the
// others' contents.
void hide_contents(llvm::Module &module);

}  // namespace thalweg::transform
