// transform: numbers that only tell how often loops run, or how far something else may go.
#pragma once

#include "llvm/Analysis/LoopInfo.h"

namespace thalweg::transform::specializer {

// From so many rounds on LLVM unrolls no loop whose rounds have five instructions (UnrollThreshold, 300 at -O3; 150 at -O2): to know their number decides
// nothing there.
inline constexpr uint64_t many_rounds = 64;

// What an integer is used for in its function.
enum class NumberUse {
    decides,  // it steers something by itself, or is handed on
    ends_loops,  // when loops end and whether they begin, no more: how wide a picture is, how many lines a file has
    meets_others,  // that, or it is compared with what is no constant: how many places a table has, how many bytes are to be read
};
NumberUse use_of_number(const llvm::Value &value, const llvm::LoopInfo &loops);

}  // namespace thalweg::transform::specializer
