#include "schema.h"
void put_number(struct writer *w, uint32_t v, unsigned bytes) {
    for (unsigned i = 0; i < bytes; ++i)
        *w->at++ = (unsigned char)(v >> 8 * (w->schema->big ? bytes - 1 - i : i));
}
