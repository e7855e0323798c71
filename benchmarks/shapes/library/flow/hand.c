// program 0x20000099, version 1, no auth
#include "lib.h"
static PUBLIC int call(struct client *c, struct request *r, struct request *reply) {
    uint32_t *b = (uint32_t *)c->buffer;
    c->xdr.ops = c->xdr.ops;
    c->xid++;
    b[0] = __builtin_bswap32(c->xid);
    b[1] = 0x02000000;
    b[2] = 0x99000020;
    b[3] = 0x01000000;
    b[4] = 0x03000000;
    b[5] = __builtin_bswap32(r->a);
    b[6] = __builtin_bswap32(r->b);
    reply->a = r->a;
    reply->b = r->b;
    c->xdr.op = OP_DECODE;
    c->xdr.left = 0;
    c->xdr.base = c->buffer + 20;
    c->xdr.at = c->buffer + 28;
    return reply->a > 0xfff00000u ? -5 : 28;
}
int main(int argc, char **argv) {
    if (argc < 5)
        return 2;
    unsigned n = strtoul(argv[1], 0, 0), errors = 0;
    struct client *c = client_new(strtoul(argv[2], 0, 0), atoi(argv[3]), atoi(argv[4]));
    uint32_t seed = 1, h = 0;
    for (unsigned i = 0; i < n; ++i) {
        struct request r = {next(&seed), i}, reply = {0, 0};
        int s = call(c, &r, &reply);
        if (s < 0)
            errors++;
        h = mix(h, reply.a + s);
    }
    for (int i = 0; i < 128; ++i)
        h = mix(h, c->buffer[i]);
    printf("%08x %u %u %d %d\n", h, errors, c->xid, c->xdr.left, c->xdr.op);
    return 0;
}
