// transform: functions of languages without exceptions, through which those of others pass all the same.
#pragma once

#include "llvm/IR/Module.h"

namespace thalweg::transform {

// Whether something in the module is to be done when an exception passes, or a thread ends within its calls (pthread_exit).
bool catches(const llvm::Module &module);

// C's compiler says of each function, and of each call in it, that it does not unwind. Its frames have unwind tables all the same on x86-64, so what a
// callback in C++ throws reaches a handler around the C function, until a link that sees both takes that handler away. Nothing is believed here but what
// follows from callees: what calls something unknown may unwind.
void doubt_that_calls_return(llvm::Module &module);

}  // namespace thalweg::transform
