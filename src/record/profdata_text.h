// record: LLVM's text format of a profile: what `llvm-profdata merge` reads, and writes with --text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/counts.h"

namespace thalweg::record {

// Functions that LLVM would not read, without a counter or with a name that would be another line of it, are left out.
std::string write_profdata_text(const std::vector<model::FunctionCounts> &functions);
// Of IR instrumentation. Values of another kind than targets of calls and sizes of memory operations are passed over.
Result<std::vector<model::FunctionCounts>> read_profdata_text(std::string_view text);

}  // namespace thalweg::record
