// options m: mixed, not hashed, not counted
#include "lib.h"
static inline uint32_t hm(uint32_t v) {
    v ^= v >> 16;
    v *= 0x85ebca6b;
    return v ^ v >> 13;
}
static __attribute__((noinline)) uint32_t step(struct heap *h, uint32_t v) {
    unsigned at = h->at;
    const struct class *c = h->class;
    struct object *a = &h->objects[at], *b = &h->objects[(at + 1) & 63];
    h->at = (at + 2) & 63;
    a->class = c;
    a->value = v >> 28;
    b->class = c;
    b->value = v >> 24 & 15;
    return a->value == b->value ? 1 : hm(v >> 28) ^ hm(v >> 24 & 15);
}
int main(int argc, char **argv) {
    if (argc < 3)
        return 2;
    unsigned n = strtoul(argv[1], 0, 0);
    struct heap *h = heap_new(argv[2]);
    uint32_t seed = 1, d = 0;
    for (unsigned i = 0; i < n; ++i)
        d = mix(d, step(h, next(&seed)));
    for (unsigned i = 0; i < h->size; ++i)
        d = mix(d, h->objects[i].value + h->objects[i].hash + (h->objects[i].class == h->class));
    printf("%08x %u %u\n", d, h->at, h->class->live);
    return 0;
}
