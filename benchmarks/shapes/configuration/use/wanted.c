#include "trace.h"
int wanted(struct category *c) {
    if (!c->enabled)
        return 0;
    if (c->every > 1)
        return c->seen++ % c->every == 0;
    return 1;
}
