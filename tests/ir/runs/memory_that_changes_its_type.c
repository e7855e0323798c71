// tests: C lets allocated memory hold a number of one type and then of another: what was known of the first is nothing about the second.
// RUN: %run %s | %check %s
// PLAN: 1 specialize reuse : memory reuse/2:4 0 = 1
// CHECK: decision 1 applied
// CHECK: ; the same
#include <stdio.h>
#include <stdlib.h>

__attribute__((noinline)) float reuse(int *number, float *fraction, const int *mode) {
    if (*mode != 1)
        return 0;
    *number = 5;
    *fraction = 1.5f;
    return *(float *)number;
}

int main(void) {
    void *memory = malloc(16);
    for (int mode = 0; mode < 3; ++mode) {
        printf("%g\n", (double)reuse(memory, memory, &mode));
        *(int *)memory = mode;
        const float other = *(float *)memory;
        printf("%d\n", other == 0);
        float apart = 0;
        reuse(memory, &apart, &mode);
        printf("%g %d\n", (double)apart, mode == 1 ? *(int *)memory : 0);
    }
    free(memory);
    return 0;
}
