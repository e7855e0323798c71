#include "lib.h"
int xdr_u32(struct xdr *x, uint32_t *v) {
    switch (x->op) {
    case OP_ENCODE:
        return x->ops->put(x, *v);
    case OP_DECODE:
        return x->ops->get(x, v);
    case OP_FREE:
        return 1;
    }
    return 0;
}
