// An allocator with debug modes: each block remembers its pool. Settings: rounding, fill, guards, statistics
#include "shapes.h"
#include <stddef.h>
struct pool {
    unsigned rounding;
    int fill;
    int guards;
    int statistics;
    unsigned live, peak;
    struct block *free;
};
struct block {
    struct pool *pool;
    struct block *next;
    unsigned size;
    unsigned tag;
    unsigned char data[64];
};

static unsigned rounded(const struct pool *p, unsigned size) {
    return p->rounding > 1 ? (size + p->rounding - 1) / p->rounding * p->rounding : size;
}
static void count(struct pool *p, int by) {
    if (!p->statistics)
        return;
    p->live += by;
    if (p->live > p->peak)
        p->peak = p->live;
}
static void paint(const struct pool *p, struct block *b, unsigned char c) {
    if (p->fill)
        memset(b->data, c, b->size);
    if (p->guards)
        b->data[63] = 0xfd;
}
static void *pool_alloc(struct pool *p, unsigned size) {
    struct block *b = p->free;
    if (b == NULL)
        return NULL;
    p->free = b->next;
    b->pool = p;
    b->size = rounded(p, size);
    paint(p, b, 0xcd);
    count(p, 1);
    return b->data;
}
static void pool_free(void *data) {
    struct block *b = (struct block *)((char *)data - offsetof(struct block, data));
    struct pool *p = b->pool;
    if (p->guards && b->data[63] != 0xfd)
        abort();
    paint(p, b, 0xdd);
    count(p, -1);
    b->next = p->free;
    p->free = b;
}
static unsigned usable(const void *data) {
    const struct block *b = (const struct block *)((const char *)data - offsetof(struct block, data));
    return b->pool->guards ? b->size - 1 : b->size;
}
int main(int argc, char **argv) {
    if (argc < 6)
        return 2;
    unsigned n = strtoul(argv[1], 0, 0);
    struct pool *p = calloc(1, sizeof *p);
    p->rounding = atoi(argv[2]);
    p->fill = atoi(argv[3]);
    p->guards = atoi(argv[4]);
    p->statistics = atoi(argv[5]);
    struct block *blocks = calloc(8, sizeof *blocks);
    for (int i = 0; i < 8; ++i) {
        blocks[i].next = p->free;
        p->free = &blocks[i];
    }
    uint32_t seed = 5, h = 0;
    void *held = pool_alloc(p, 8);
    for (unsigned i = 0; i < n; ++i) {
        uint32_t v = next(&seed);
        void *d = pool_alloc(p, 1 + (v >> 28));
        h = mix(h, usable(d));
        pool_free(held);
        held = d;
    }
    for (int i = 0; i < 8; ++i)
        h = mix(h, blocks[i].size + blocks[i].data[3] + (blocks[i].pool == p));
    printf("%08x %u %u\n", h, p->live, p->peak);
    return 0;
}
