#include "config.h"
#include "session.h"
int main(int argc, char **argv) {
    if (argc < 3 || config_read(argv[2]))
        return 2;
    unsigned n = strtoul(argv[1], 0, 0), counts[3] = {0, 0, 0};
    struct session *s = session_new();
    uint32_t seed = 1;
    for (int i = 0; i < 64; ++i)
        s->wire[i] = next(&seed);
    for (unsigned i = 0; i < n; ++i) {
        s->wire[i & 63] = next(&seed);
        counts[serve(s)]++;
    }
    printf("%08x %u %u %u %u %d\n", s->sum, s->at, counts[0], counts[1], counts[2], s->mode);
    return 0;
}
