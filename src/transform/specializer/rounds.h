// transform: numbers that only tell how often loops run.
#pragma once

#include "llvm/Analysis/LoopInfo.h"

namespace thalweg::transform::specializer {

// From so many rounds on LLVM unrolls no loop whose rounds have five instructions (UnrollThreshold, 300 at -O3; 150 at -O2): to know their number decides
// nothing there.
inline constexpr uint64_t many_rounds = 64;

// Whether all that the value, an integer, decides in its function is when loops end, and whether they begin: how wide a picture is, how many lines a file
// has. False: it steers something else too, or is handed on.
bool only_ends_loops(const llvm::Value &value, const llvm::LoopInfo &loops);

}  // namespace thalweg::transform::specializer
