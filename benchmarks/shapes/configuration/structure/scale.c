#include "port.h"
int scaled(const struct port *p, int v) {
    if (p->gain != 256)
        v = v * p->gain / 256;
    if (p->bias)
        v += p->bias;
    return v > 32767 ? 32767 : v < -32768 ? -32768 : v;
}
