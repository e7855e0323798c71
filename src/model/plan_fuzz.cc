// model: any bytes as a plan: an error, or a valid plan that is written and read back the same.
#include <cstdlib>

#include "model/plan.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    using namespace thalweg::model;
    const auto plan = read_plan(std::string(reinterpret_cast<const char *>(data), size));
    if (!plan)
        return 0;
    const auto again = read_plan(write_plan(*plan));
    if (!validate(*plan) || !again || !(*again == *plan))
        std::abort();
    return 0;
}
