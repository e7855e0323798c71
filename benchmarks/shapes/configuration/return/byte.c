#include "writer.h"
int write_byte(struct writer *w, unsigned char c) {
    int done = 0;
    if (c == w->escape) {
        done = device_write(w->device, 0x1b);
        if (done < 0)
            return done;
    }
    for (int i = 0; i < w->retries; ++i) {
        int r = device_write(w->device, c);
        if (r < 0)
            return r;
        if (r > 0)
            return done + r;
    }
    return 0;
}
