// benchmarks: what is left for a stream that decodes LITTLE and one that encodes BIG.
#include "layers.h"

uint32_t operate(void *handle, const uint32_t *values, unsigned count) {
    struct pair *pair = handle;
    uint32_t *to = pair->buffer;
    uint32_t sum_from = 0;
    uint32_t sum_to = 0;
    for (unsigned i = 0; i < count; ++i) {
        const uint32_t word = __builtin_bswap32(values[i]);
        sum_from = mixed(sum_from, values[i]);
        to[i] = word;
        sum_to = mixed(sum_to, word);
    }
    pair->from->at = (uint32_t *)values + count;
    pair->to->at = to + count;
    pair->from->left = pair->to->left = 0;
    pair->from->sum = sum_from;
    pair->to->sum = sum_to;
    return sum_from ^ sum_to;
}
