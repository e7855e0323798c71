// benchmarks: the uppermost layer: each value is read, and answered on the same stream.
#include "layers.h"

uint32_t operate(void *handle, const uint32_t *values, unsigned count) {
    struct server *server = handle;
    server->stream.sum = 0;
    for (unsigned i = 0; i < count; ++i) {
        uint32_t word = values[i];
        server->stream.direction = DECODE;
        const enum status status = pass(server, &word);
        server->stream.direction = ENCODE;
        answer(server, status, word);
    }
    return server->stream.sum;
}
