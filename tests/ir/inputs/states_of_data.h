// tests: a loop over data with a state of its own, which has 4,096 values, one after the other, and decides one branch in each round of some forty points.
int hits[32];
#define CASE(n)                                                                                                        \
    case 3 * n + 1:                                                                                                    \
        hits[n] = hits[n] * (2 * n + 3) + state;                                                                       \
        break;
#define CASES(n) CASE(n) CASE(n + 1) CASE(n + 2) CASE(n + 3) CASE(n + 4) CASE(n + 5) CASE(n + 6) CASE(n + 7)
#define READ(text, ended)                                                                                              \
    for (unsigned state = 1; *text; ++text) {                                                                          \
        switch (*text) { CASES(0) CASES(8) CASES(16) CASES(24) }                                                       \
        state = (state * 5 + 1) & 4095;                                                                                \
        if (state == ended)                                                                                            \
            break;                                                                                                     \
    }

static int one(int value) { return value + 1; }
static int two(int value) { return value * 3; }
int (*const steps[2])(int) = {one, two};
int mode;
