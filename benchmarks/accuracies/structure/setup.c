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
