// benchmarks: settings: whether words are swapped, the largest word that is taken.
#include <stdlib.h>

#include "layers.h"

void *configure(const int *settings) {
    struct server *server = calloc(1, sizeof *server);
    server->stream.swap = settings[0];
    server->limit = (uint32_t)settings[1];
    return server;
}
