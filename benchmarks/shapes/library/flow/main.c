#include "lib.h"
int main(int argc, char **argv) {
    if (argc < 5)
        return 2;
    unsigned n = strtoul(argv[1], 0, 0), errors = 0;
    struct client *c = client_new(strtoul(argv[2], 0, 0), atoi(argv[3]), atoi(argv[4]));
    uint32_t seed = 1, h = 0;
    for (unsigned i = 0; i < n; ++i) {
        struct request r = {next(&seed), i}, reply = {0, 0};
        int s = client_call(c, 3, &r, &reply);
        if (s < 0)
            errors++;
        h = mix(h, reply.a + s);
    }
    for (int i = 0; i < 128; ++i)
        h = mix(h, c->buffer[i]);
    printf("%08x %u %u %d %d\n", h, errors, c->xid, c->xdr.left, c->xdr.op);
    return 0;
}
