// benchmarks: with protobuf-c, whose descriptors are constants made by its generator.
#include "protobuf_c.h"

size_t pack_report(const Weather__Report *report, uint8_t *bytes) { return weather__report__pack(report, bytes); }
