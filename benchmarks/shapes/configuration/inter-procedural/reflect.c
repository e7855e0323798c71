#include "sum.h"
uint32_t reflected(uint32_t v, unsigned bits) {
    uint32_t r = 0;
    for (unsigned i = 0; i < bits; ++i)
        if (v >> i & 1)
            r |= 1u << (bits - 1 - i);
    return r;
}
