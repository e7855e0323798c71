// record: any bytes as LLVM's text of a profile: an error, or counts that are written and read back the same.
#include <cstdlib>

#include "record/profdata_text.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    using namespace thalweg::record;
    const auto counts = read_profdata_text({reinterpret_cast<const char *>(data), size});
    if (!counts)
        return 0;
    const auto again = read_profdata_text(write_profdata_text(*counts));
    if (!again || *again != *counts)
        std::abort();
    return 0;
}
