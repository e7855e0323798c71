// rounding 8, no fill, no guards, no statistics
#define main original_main
#include "prog.c"
#undef main
int main(int argc, char **argv) {
    unsigned n = strtoul(argv[1], 0, 0);
    struct pool *p = calloc(1, sizeof *p);
    struct block *blocks = calloc(8, sizeof *blocks);
    for (int i = 0; i < 8; ++i) {
        blocks[i].next = p->free;
        p->free = &blocks[i];
    }
    uint32_t seed = 5, h = 0;
    struct block *held = p->free;
    p->free = held->next;
    held->pool = p;
    held->size = 8;
    for (unsigned i = 0; i < n; ++i) {
        uint32_t v = next(&seed);
        struct block *b = p->free;
        if (!b)
            abort();
        p->free = b->next;
        b->pool = p;
        b->size = (1 + (v >> 28) + 7) & ~7u;
        h = mix(h, b->size);
        held->next = p->free;
        p->free = held;
        held = b;
    }
    for (int i = 0; i < 8; ++i)
        h = mix(h, blocks[i].size + blocks[i].data[3] + (blocks[i].pool == p));
    printf("%08x %u %u\n", h, p->live, p->peak);
    return 0;
}
