// model: any bytes as a workload: an error, or a valid value that is written and read back the same.
#include <cstdlib>

#include "model/workload.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    using namespace thalweg::model;
    const auto workload = read_workload(std::string(reinterpret_cast<const char *>(data), size));
    if (!workload)
        return 0;
    const auto again = read_workload(write_workload(*workload));
    if (!validate(*workload) || !again || !(*again == *workload))
        std::abort();
    return 0;
}
