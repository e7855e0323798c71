#include "config.h"
#include "writer.h"
int main(int argc, char **argv) {
    if (argc < 3 || config_read(argv[2]))
        return 2;
    unsigned n = strtoul(argv[1], 0, 0), errors = 0;
    struct writer *w = writer_new();
    uint32_t seed = 1, h = 0;
    for (unsigned i = 0; i < n; ++i) {
        int r = write_message(w, i & 0xffff, next(&seed));
        if (r < 0)
            errors++;
        h = mix(h, r);
    }
    for (int i = 0; i < 512; ++i)
        h = mix(h, w->device->data[i]);
    printf("%08x %u %u %08x\n", h, errors, w->device->at, w->device->sum);
    return 0;
}
