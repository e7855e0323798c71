// benchmarks: a script's function called again and again.   main lua|all|edges COUNT
#include <stdlib.h>

#include "driver.h"
#include "score.h"

static void time_score(uint64_t count) {
    uint64_t sum = 0;
    int64_t score = 0;
    const double start = now_ns();
    for (uint64_t i = 0; i < count; ++i) {
        from_outside(&score);
        const int done = score_of((int64_t)(i * 37 & 0xfff), (int64_t)(i & 63) + 3, &score);
        sum = sum * 33 + (uint64_t)score + (uint64_t)done;
    }
    tell("lua", now_ns() - start, count, sum);
}

// Zero divisors, negative ones, sums and products that wrap round.
static uint64_t edges(void) {
    static const int64_t large[] = {INT64_MIN, INT64_MIN + 1, INT64_MAX, INT64_MAX - 7, 1LL << 62, -(1LL << 61)};
    uint64_t digest = DIGEST_START;
    int64_t score = 0;
    for (int64_t distance = -300; distance <= 300; ++distance)
        for (int64_t weight = -40; weight <= 40; ++weight) {
            const int done = score_of(distance, weight, &score);
            digest = digest_of(digest, &done, sizeof done);
            digest = digest_of(digest, &score, sizeof score);
        }
    for (unsigned i = 0; i < sizeof large / sizeof *large; ++i)
        for (unsigned j = 0; j < sizeof large / sizeof *large; ++j) {
            const int done = score_of(large[i], large[j], &score);
            digest = digest_of(digest, &done, sizeof done);
            digest = digest_of(digest, &score, sizeof score);
        }
    return digest;
}

int main(int argc, char **argv) {
    if (argc != 3) {
        fprintf(stderr, "usage: %s lua|all|edges COUNT\n", argv[0]);
        return 2;
    }
    open_script();
    if (strcmp(argv[1], "edges") == 0)
        printf("edges %016" PRIx64 "\n", edges());
    else
        time_score(strtoull(argv[2], NULL, 10));
    return 0;
}
