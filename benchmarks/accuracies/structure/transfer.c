// benchmarks: the layer that knows directions.
#include "layers.h"

int transfer(struct stream *stream, uint32_t *word) {
    if (stream->left == 0)
        return 0;
    --stream->left;
    if (stream->direction == ENCODE)
        *stream->at = ordered(stream, *word);
    else
        *word = ordered(stream, *stream->at);
    stream->sum = mixed(stream->sum, *stream->at);
    ++stream->at;
    return 1;
}
