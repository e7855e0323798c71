// tests: the same inputs under four rounding modes, in turn.
// RUN: %run %s | %check %s
// PLAN: 1 cache thirds
// PLAN: 2 cache steps
// CHECK: decision 1 refused
// CHECK: decision 2 applied
// CHECK: ; the same
#include <fenv.h>
#include <stdio.h>

__attribute__((noinline)) void thirds(double *to, const double *from) {
    for (int i = 0; i < 8; ++i)
        to[i] = from[i] / 3;
}
__attribute__((noinline)) void steps(int *to, const int *from) {
    for (int i = 0; i < 8; ++i)
        to[i] = from[i] / 3;
}

int main(void) {
    const int modes[4] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    double from[8] = {1, 2, 4, -1, -2, -4, 5, 7};
    double to[8];
    int whole[8] = {1, 2, 4, -1, -2, -4, 5, 7};
    int parts[8];
    for (int round = 0; round < 12; ++round) {
        fesetround(modes[round % 4]);
        thirds(to, from);
        steps(parts, whole);
        fesetround(FE_TONEAREST);
        for (int i = 0; i < 8; ++i)
            printf("%a %d\n", to[i], parts[i]);
    }
    return 0;
}
