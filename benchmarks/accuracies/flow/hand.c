// benchmarks: what is left for words that are swapped, with a limit of 2,000,000,000.
#include "layers.h"

uint32_t operate(void *handle, const uint32_t *values, unsigned count) {
    struct server *server = handle;
    uint32_t sum = 0;
    for (unsigned i = 0; i < count; ++i) {
        const uint32_t word = __builtin_bswap32(values[i]);
        if (word > 2000000000u)
            sum = mixed(mixed(sum, 0x01000000u), __builtin_bswap32(2000000000u));
        else
            sum = mixed(mixed(sum, 0), values[i]);
    }
    server->stream.direction = ENCODE;
    server->stream.sum = sum;
    return sum;
}
