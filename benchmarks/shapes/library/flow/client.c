#include "lib.h"
struct client *client_new(uint32_t program, int version, int auth) {
    struct client *c = calloc(1, sizeof *c);
    c->program = program;
    c->version = version;
    c->auth = auth;
    c->xid = 100;
    return c;
}
int client_call(struct client *c, uint32_t proc, struct request *r, struct request *reply) {
    struct xdr *x = &c->xdr;
    uint32_t two = 2, secret = 0xbeef;
    xdrmem(x, c->buffer, sizeof c->buffer, OP_ENCODE);
    c->xid++;
    if (!xdr_u32(x, &c->xid) || !xdr_u32(x, &two) || !xdr_u32(x, &c->program) || !xdr_u32(x, &c->version) ||
        !xdr_u32(x, &proc))
        return -1;
    if (c->auth && !xdr_u32(x, &secret))
        return -2;
    if (!xdr_request(x, r))
        return -3;
    xdrmem(x, c->buffer + (c->auth ? 24 : 20), 8, OP_DECODE); // the server is an echo
    if (!xdr_request(x, reply))
        return -4;
    return reply->a > 0xfff00000u ? -5 : (int)(x->at - c->buffer);
}
