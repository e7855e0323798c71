// benchmarks: settings: direction and order of the one stream and of the other.
#include <stdlib.h>

#include "layers.h"

enum { BUFFER = 64 };

static struct stream *stream_of(const int *settings) {
    struct stream *stream = calloc(1, sizeof *stream);
    stream->direction = (enum direction)settings[0];
    stream->order = (enum order)settings[1];
    return stream;
}

void *configure(const int *settings) {
    struct pair *pair = calloc(1, sizeof *pair);
    pair->from = stream_of(settings);
    pair->to = stream_of(settings + 2);
    pair->buffer = calloc(BUFFER, sizeof *pair->buffer);
    return pair;
}

static uint32_t state_of(const struct stream *stream, uint32_t sum) {
    return mixed(mixed(mixed(sum, stream->sum), stream->left), (uint32_t)stream->direction);
}

uint32_t left_behind(void *handle) {
    const struct pair *pair = handle;
    uint32_t sum = state_of(pair->to, state_of(pair->from, 0));
    for (unsigned i = 0; i < BUFFER; ++i)
        sum = mixed(sum, pair->buffer[i]);
    return sum;
}
