#include "lib.h"
int xdr_request(struct xdr *x, struct request *r) { return xdr_u32(x, &r->a) && xdr_u32(x, &r->b); }
