/* tests: layers that compute in floating point, in a program that sets how it rounds. argv[1]: rounds up; argv[2]: how often. */
#include <fenv.h>
#include <stdio.h>
#include <stdlib.h>

#include "rounding.h"

const double tenth_of = 10.0;
double third_of = 3.0;
static const struct operations scaling = {scaled};

__attribute__((noinline)) double send(const struct layer *layer, int count) {
    double sum = 0;
    for (int i = 0; i < count; ++i)
        sum += layer->operations->scale(layer, (i & 1) != 0 ? layer->one : 2.0);
    return sum;
}

int main(int words, char **word) {
    struct layer layer = {&scaling, 1, 1.0, 3.0};
    if (words > 1 && atoi(word[1]) != 0)
        fesetround(FE_UPWARD);
    double total = 0;
    for (int i = words > 2 ? atoi(word[2]) : 2000; i > 0; --i)
        total += send(&layer, 20);
    printf("%a %a %a %a\n", total, part(1.0), tenth(), whole(&layer, 7));
    printf("inexact %d\n", fetestexcept(FE_INEXACT) != 0);
    return 0;
}
