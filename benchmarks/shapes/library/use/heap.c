#include "lib.h"
static uint32_t hash_plain(const struct object *o) { return o->value * 2654435761u; }
static uint32_t hash_mixed(const struct object *o) {
    uint32_t v = o->value;
    v ^= v >> 16;
    v *= 0x85ebca6b;
    return v ^ v >> 13;
}
struct heap *heap_new(const char *options) {
    struct heap *h = calloc(1, sizeof *h);
    h->size = 64;
    h->objects = calloc(h->size, sizeof *h->objects);
    h->class = calloc(1, sizeof *h->class);
    h->class->name = "number";
    h->class->hash = strchr(options, 'm') ? hash_mixed : hash_plain;
    h->class->hashed = strchr(options, 'h') != NULL;
    h->class->counted = strchr(options, 'c') != NULL;
    h->zeroing = strchr(options, 'z') != NULL;
    return h;
}
