#include "lib.h"
uint32_t hash_absorb(uint32_t s, uint32_t w) {
    s ^= w;
    for (int i = 0; i < hash_current.rounds; ++i)
        s = hash_round(s);
    return s;
}
