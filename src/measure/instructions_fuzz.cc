// measure: any bytes as what cachegrind writes: a command and a count, or nothing.
#include "measure/instructions.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    (void)thalweg::measure::read_cachegrind({reinterpret_cast<const char *>(data), size});
    return 0;
}
