#ifndef UTIL_H
#define UTIL_H
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static inline uint32_t next(uint32_t *s) { return *s = *s * 1664525u + 1013904223u; }
static inline uint32_t mix(uint32_t h, uint32_t v) {
    h ^= v;
    return h * 0x01000193u;
}
#endif
