// model: any bytes as a machine's costs: an error, or a valid value that is written and read back the same.
#include <cstdlib>

#include "model/machine.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    using namespace thalweg::model;
    const auto machine = read_machine(std::string(reinterpret_cast<const char *>(data), size));
    if (!machine)
        return 0;
    const auto again = read_machine(write_machine(*machine));
    if (!validate(*machine) || !again || !(*again == *machine))
        std::abort();
    return 0;
}
