#include "writer.h"
int write_u16(struct writer *w, unsigned v) {
    int high = write_byte(w, (unsigned char)(v >> 8));
    if (high <= 0)
        return high;
    int low = write_byte(w, (unsigned char)v);
    if (low <= 0)
        return low;
    return high + low;
}
