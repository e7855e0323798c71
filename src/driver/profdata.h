// driver: counts of blocks as a profile of LLVM's own, for clang, llvm-profdata and whoever else reads one.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "model/counts.h"

namespace thalweg::driver {

// An indexed profile's bytes, made by llvm-profdata; an error of kind environment where that is not there.
Result<std::string> indexed_profile(const std::vector<model::FunctionCounts> &counts);
// Of a file that llvm-profdata reads: indexed, text, or raw ones of LLVM's runtime. Of IR instrumentation alone.
Result<std::vector<model::FunctionCounts>> read_profdata(const std::string &path);

}  // namespace thalweg::driver
