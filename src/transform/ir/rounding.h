// transform: whether a program changes how floating-point numbers are computed, or asks what came of it besides the result.
#pragma once

#include <string>

#include "llvm/IR/Module.h"

namespace thalweg::transform {

// Names what in the program sets the rounding mode, reads the exception flags or enables traps; empty: nothing does. If anything does, the same
// operands may give different results, and removing a computation may be noticed. Code without bitcode is judged by the functions that it calls
// (ir/use.h). What the loaded shared libraries do is not seen. If the module is a shared library that computes with floating point, its loader is
// assumed to do any of this.
std::string user_of_float_environment(const llvm::Module &module);

// Whether this depends on the rounding mode, or may raise a flag.
bool rounds(const llvm::Instruction &instruction);

// Marks functions that must not be specialised: each that computes with floating point in such a program, and each that is compiled as strict
// (`#pragma STDC FENV_ACCESS ON`, -frounding-math). With constant operands the compiler would fold in the default rounding mode and raise no flag.
// So no layer and no line is made of them or inlines them.
void note_rounding(llvm::Module &module);
void forget_rounding(llvm::Module &module);
// Why a function has to compute as it is written; empty: it may be specialised.
std::string why_rounding_stays(const llvm::Function &function);

// For a shared library, whose unknown loader may set the rounding mode. Blocks inlining and propagation of constants into and out of functions that
// compute with floating point, so that link-time optimisation folds nothing that the library's own build did not fold.
void keep_apart_what_computes(llvm::Module &module);

// For a program that sets the rounding mode, before whole-program passes: hides the contents of variables from them. Each file was compiled without
// knowing the other files' contents, so constants from there must not be folded now.
void hide_contents(llvm::Module &module);

}  // namespace thalweg::transform
