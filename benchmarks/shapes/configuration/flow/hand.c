// swapped, not masked, limit 0xc0000000, no acl
#include "config.h"
#include "session.h"
int main(int argc, char **argv) {
    if (argc < 3 || config_read(argv[2]))
        return 2;
    unsigned n = strtoul(argv[1], 0, 0), counts[3] = {0, 0, 0}, at = 0;
    struct session *s = session_new();
    uint32_t seed = 1, sum = 0;
    uint32_t *wire = s->wire;
    for (int i = 0; i < 64; ++i)
        wire[i] = next(&seed);
    for (unsigned i = 0; i < n; ++i) {
        wire[i & 63] = next(&seed);
        uint32_t rid = wire[at & 63], id = __builtin_bswap32(rid), value = __builtin_bswap32(wire[at + 1 & 63]);
        at += 2;
        sum = mix(sum, rid);
        if (value > 0xc0000000u) {
            sum = mix(sum, __builtin_bswap32(TOO_BIG));
            counts[TOO_BIG]++;
        } else {
            sum = mix(sum, 0);
            sum = mix(sum, __builtin_bswap32(value + id));
            counts[ACCEPT]++;
        }
    }
    printf("%08x %u %u %u %u %d\n", sum, at, counts[0], counts[1], counts[2], 0);
    return 0;
}
