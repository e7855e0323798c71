#pragma once
#include "shapes.h"
#define PUBLIC __attribute__((noinline))
struct plane {
    int depth, shift, swapped, premultiplied;
    uint32_t max;
};
struct converter {
    struct plane *in, *out;
    int dither;
    uint32_t error;
};
PUBLIC struct converter *converter_open(const char *in, const char *out);
PUBLIC void converter_run(struct converter *c, const uint32_t *from, uint32_t *to, unsigned count);
uint32_t plane_load(const struct plane *p, uint32_t w);
uint32_t plane_store(const struct plane *p, uint32_t v);
