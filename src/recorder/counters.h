// recorder: the counters of LLVM's IR instrumentation, in a mapped file from the first one on.
#pragma once

#include <cstddef>
#include <cstdint>

#include "abi/raw_format.h"
#include "recorder/symbols.h"

namespace thalweg::recorder {

// 0: the program has none.
uint64_t counter_count();
size_t counter_file_size();
// Puts a new file with this header in the counters' place, with what was counted so far or, in a forked child, whose counters are its
// parent's, with none. False, and errno, where that can't be: then they count where they are.
bool map_counters(const char *path, const raw::Header &header, bool with_counts);
// The same in a part of the reserve, of `counter_file_size()` zeroed bytes.
bool count_in(void *bytes, const raw::Header &header, bool with_counts);

// One more call of what lies at the address. Of more targets than there are places the rarest gives way.
void count_target(raw::Call &call, uint64_t address, const SymbolMap &symbols);

}  // namespace thalweg::recorder
