#include "writer.h"
int write_message(struct writer *w, unsigned id, uint32_t v) {
    int a = write_u16(w, id);
    if (a <= 0)
        return -1;
    int b = write_u16(w, v >> 16);
    if (b <= 0)
        return -2;
    int c = write_u16(w, v & 0xffff);
    if (c <= 0)
        return -3;
    if (w->checked) {
        int d = write_byte(w, (unsigned char)(a + b + c));
        if (d <= 0)
            return -4;
        a += d;
    }
    return a + b + c;
}
