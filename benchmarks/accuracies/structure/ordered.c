// benchmarks: the layer that knows byte orders.
#include "layers.h"

uint32_t ordered(const struct stream *stream, uint32_t word) {
    return stream->order == BIG ? __builtin_bswap32(word) : word;
}
