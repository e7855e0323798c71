#include "lib.h"
static int mem_put(struct xdr *x, uint32_t v) {
    if ((x->left -= 4) < 0)
        return 0;
    v = __builtin_bswap32(v);
    memcpy(x->at, &v, 4);
    x->at += 4;
    return 1;
}
static int mem_get(struct xdr *x, uint32_t *v) {
    if ((x->left -= 4) < 0)
        return 0;
    memcpy(v, x->at, 4);
    *v = __builtin_bswap32(*v);
    x->at += 4;
    return 1;
}
static const struct xdr_ops mem_ops = {mem_put, mem_get};
void xdrmem(struct xdr *x, unsigned char *base, int size, enum op op) {
    x->op = op;
    x->ops = &mem_ops;
    x->base = x->at = base;
    x->left = size;
}
