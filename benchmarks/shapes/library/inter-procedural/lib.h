#pragma once
#include "shapes.h"
#define PUBLIC __attribute__((noinline))
struct hash_kind {
    int rounds, fold, finalise, seeded;
    uint32_t multiplier;
};
PUBLIC int hash_init(int kind, uint32_t seed);
PUBLIC uint32_t hash_pair(uint32_t a, uint32_t b);
uint32_t hash_absorb(uint32_t state, uint32_t word);
uint32_t hash_round(uint32_t state);
extern struct hash_kind hash_current;
