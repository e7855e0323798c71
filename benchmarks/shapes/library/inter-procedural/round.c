#include "lib.h"
uint32_t hash_round(uint32_t s) {
    s *= hash_current.multiplier;
    if (hash_current.fold)
        s ^= s >> hash_current.fold;
    return s;
}
