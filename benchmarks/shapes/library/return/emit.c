#include "lib.h"
int emit_text(char *to, const struct piece *p, uint32_t v) {
    (void)v;
    *to = p->text;
    return 1;
}
int emit_hex(char *to, const struct piece *p, uint32_t v) {
    if (p->width > 8)
        return -1;
    for (int i = 0; i < p->width; ++i)
        to[i] = "0123456789abcdef"[v >> 4 * (p->width - 1 - i) & 15];
    return p->width;
}
int emit_flag(char *to, const struct piece *p, uint32_t v) {
    *to = v & 1u << p->width ? '+' : '-';
    return 1;
}
