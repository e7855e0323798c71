#pragma once
#include "shapes.h"
#define PUBLIC __attribute__((noinline))
struct object;
struct class {
    const char *name;
    int hashed, counted;
    uint32_t (*hash)(const struct object *);
    unsigned live;
};
struct object {
    const struct class *class;
    uint32_t value, hash;
};
struct heap {
    struct class *class;
    struct object *objects;
    unsigned size, at;
    int zeroing;
};
PUBLIC struct heap *heap_new(const char *options);
PUBLIC struct object *object_new(struct heap *h, uint32_t value);
PUBLIC uint32_t object_hash(const struct object *o);
PUBLIC int object_equal(const struct object *a, const struct object *b);
