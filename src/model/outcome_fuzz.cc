// model: any bytes as an outcome: an error, or a valid value that is written and read back the same.
#include <cstdlib>

#include "model/plan.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    using namespace thalweg::model;
    const auto outcome = read_outcome(std::string(reinterpret_cast<const char *>(data), size));
    if (!outcome)
        return 0;
    const auto again = read_outcome(write_outcome(*outcome));
    if (!validate(*outcome) || !again || !(*again == *outcome))
        std::abort();
    return 0;
}
