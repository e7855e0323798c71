// transform: in the instrumented twin, system calls tell the recorder of themselves.
#pragma once

#include <cstdint>

#include "llvm/IR/Module.h"

namespace thalweg::transform {

// The calls that find_system_calls marked, and all copies of them; call i has the number `first` + i for the recorder.
void insert_system_call_probes(llvm::Module &module, uint32_t first);

}  // namespace thalweg::transform
