// measure: any bytes as a line of /proc/PID/stat: a value or none.
#include "measure/process_stat.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    thalweg::measure::parse_stat(std::string(reinterpret_cast<const char *>(data), size), 100);
    return 0;
}
