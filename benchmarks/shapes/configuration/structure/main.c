#include "config.h"
#include "port.h"
int main(int argc, char **argv) {
    if (argc < 3 || config_read(argv[2]))
        return 2;
    unsigned n = strtoul(argv[1], 0, 0);
    struct port *from = port_open("from"), *to = port_open("to");
    uint32_t seed = 1, h = 0;
    for (unsigned i = 0; i < from->size; ++i)
        from->data[i] = next(&seed) >> 24;
    for (unsigned i = 0; i < n; ++i) {
        copy_frames(from, to, 16);
        h = mix(h, to->data[i & 255]);
    }
    for (unsigned i = 0; i < to->size; ++i)
        h = mix(h, to->data[i]);
    printf("%08x %u %u\n", h, from->at, to->at);
    return 0;
}
