// benchmarks: the uppermost layer: from one stream to the other until one of them ends.
#include "layers.h"

uint32_t operate(void *handle, const uint32_t *values, unsigned count) {
    struct pair *pair = handle;
    uint32_t word = 0;
    pair->from->at = (uint32_t *)values;
    pair->to->at = pair->buffer;
    pair->from->left = pair->to->left = count;
    pair->from->sum = pair->to->sum = 0;
    while (transfer(pair->from, &word) && transfer(pair->to, &word)) {
    }
    return pair->from->sum ^ pair->to->sum;
}
