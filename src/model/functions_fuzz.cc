// model: any bytes as a run's functions: an error, or a valid value that is written and read back the same.
#include <cstdlib>

#include "model/functions.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    using namespace thalweg::model;
    const auto profile = read_functions(std::string(reinterpret_cast<const char *>(data), size));
    if (!profile)
        return 0;
    const auto again = read_functions(write_functions(*profile));
    if (!validate(*profile) || !again || !(*again == *profile))
        std::abort();
    return 0;
}
