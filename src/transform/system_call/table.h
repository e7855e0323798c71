// transform: system calls that a program makes through a table of its own.
#pragma once

#include "llvm/IR/Module.h"

namespace thalweg::transform {

// A call through a variable whose initial value is a system call of the C library (sqlite3's aSyscall) is tested for it and made directly, so
// that it is a place which can be counted and spoken of. Before find_system_calls, in the recording link as in the optimising one.
void call_tabled_directly(llvm::Module &module);

}  // namespace thalweg::transform
