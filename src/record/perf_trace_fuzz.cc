// record: any bytes as what perf script prints: an error, or calls from which a valid profile or an error comes.
#include "record/perf_trace.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    using namespace thalweg;
    const auto trace = record::read_perf_trace({reinterpret_cast<const char *>(data), size});
    if (trace)
        (void)record::profile_of_trace(*trace);
    return 0;
}
