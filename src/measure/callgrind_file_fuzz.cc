// measure: any bytes as what callgrind writes: an error, or a valid tree of calls.
#include <cstdlib>

#include "measure/callgrind_file.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    thalweg::model::FunctionProfile profile;
    const auto read = thalweg::measure::read_callgrind({reinterpret_cast<const char *>(data), size}, profile);
    if (read && !thalweg::model::validate(profile))
        std::abort();
    return 0;
}
