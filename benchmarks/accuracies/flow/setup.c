// benchmarks: settings: whether words are swapped, the largest word that is taken.
#include <stdlib.h>

#include "layers.h"

void *configure(const int *settings) {
    struct server *server = calloc(1, sizeof *server);
    server->stream.swap = settings[0];
    server->limit = (uint32_t)settings[1];
    return server;
}

uint32_t left_behind(void *handle) {
    const struct server *server = handle;
    return mixed(server->stream.sum, (uint32_t)server->stream.direction);
}
