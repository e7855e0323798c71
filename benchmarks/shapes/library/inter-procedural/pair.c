#include "lib.h"
extern uint32_t hash_seed;
uint32_t hash_pair(uint32_t a, uint32_t b) {
    uint32_t s = hash_current.seeded ? hash_seed : 0x811c9dc5;
    s = hash_absorb(s, a);
    s = hash_absorb(s, b);
    switch (hash_current.finalise) {
    case 1:
        s ^= s >> 13;
        break;
    case 2:
        s = hash_round(s ^ 8);
        break;
    }
    return s;
}
