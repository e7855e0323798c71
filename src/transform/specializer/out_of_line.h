// transform: functions whose author keeps them out of line ("noinline", or compiled without optimisation), and what would tell that they are no more.
#pragma once

#include <string>

namespace llvm {
class Function;
}

namespace thalweg::transform::specializer {

struct Context;

// Whether its author, or a build without optimisation, says that it is not to be inlined. That does not forbid a copy of its code for one caller.
bool is_kept_out_of_line(const llvm::Function &function);

// Whether the place is in code of a function that is kept out of line, in it or in what it called. The root is no such: it stays a function.
bool is_inside_of_what_is_kept_out_of_line(const Context &context);

// Why a function that is kept out of line, or is called by one, can't become part of its caller: it would show in what the program does. Empty: it can.
std::string why_it_stays_out_of_line(const llvm::Function &function);

}  // namespace thalweg::transform::specializer
