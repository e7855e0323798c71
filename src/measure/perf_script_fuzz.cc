// measure: any bytes as what `perf script` prints: an error, or a valid tree of calls whose samples add up to it.
#include <cstdlib>

#include "measure/perf_script.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    thalweg::model::FunctionProfile profile;
    if (!thalweg::measure::read_perf_script({reinterpret_cast<const char *>(data), size}, profile))
        return 0;
    uint64_t of_nodes = 0, of_samples = 0;
    for (const auto &node : profile.nodes)
        of_nodes += node.self;
    for (const auto &sample : profile.samples)
        of_samples += sample.cost;
    if (!thalweg::model::validate(profile) || of_nodes != of_samples)
        std::abort();
    return 0;
}
