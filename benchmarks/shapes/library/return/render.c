#include "lib.h"
int format_render(const struct format *f, char *to, uint32_t v) {
    int total = 0;
    for (const struct piece *p = f->pieces; p != f->pieces + f->count; ++p) {
        int r = p->emit(to + total, p, v);
        if (r < 0)
            return r;
        total += r;
        if (total > f->limit)
            return -2;
    }
    to[total] = 0;
    return total;
}
