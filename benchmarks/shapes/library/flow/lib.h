#pragma once
#include "shapes.h"
#define PUBLIC __attribute__((noinline))
enum op { OP_ENCODE, OP_DECODE, OP_FREE };
struct xdr;
struct xdr_ops {
    int (*put)(struct xdr *, uint32_t);
    int (*get)(struct xdr *, uint32_t *);
};
struct xdr {
    enum op op;
    const struct xdr_ops *ops;
    unsigned char *base, *at;
    int left;
};
struct client {
    struct xdr xdr;
    uint32_t xid, program, version;
    int auth;
    unsigned char buffer[128];
};
struct request {
    uint32_t a, b;
};
PUBLIC void xdrmem(struct xdr *x, unsigned char *base, int size, enum op op);
PUBLIC int xdr_u32(struct xdr *x, uint32_t *v);
PUBLIC int xdr_request(struct xdr *x, struct request *r);
PUBLIC struct client *client_new(uint32_t program, int version, int auth);
PUBLIC int client_call(struct client *c, uint32_t proc, struct request *r, struct request *reply);
