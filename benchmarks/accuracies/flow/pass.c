// benchmarks: the layer that knows directions.
#include "layers.h"

enum status pass(struct server *server, uint32_t *word) {
    if (server->stream.direction == ENCODE) {
        server->stream.sum = mixed(server->stream.sum, ordered(&server->stream, *word));
        return GOOD;
    }
    *word = ordered(&server->stream, *word);
    return *word > server->limit ? TOO_LARGE : GOOD;
}
