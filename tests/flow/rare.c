// tests: a layer that is much or little of what a run executes, by the length that the last argument says.
#include <stdio.h>
#include <stdlib.h>
typedef unsigned (*step)(unsigned);
static unsigned plain(unsigned value) { return value * 3 + 1; }
static unsigned negated(unsigned value) { return ~value * 5; }
static const step steps[] = {plain, negated};
int which;
__attribute__((noinline)) unsigned layer(unsigned value) {
    for (int i = 0; i < 40; ++i)
        value = steps[which](value) + (which == 1 ? value >> 3 : value >> 5);
    return value;
}
int main(int argc, char **argv) {
    unsigned value = 1;
    for (int i = 0; i < 1500; ++i)
        value = layer(value);
    for (int i = 0; i < atoi(argv[argc - 1]); ++i)
        value = value * 1103515245u + (value >> 7) + (unsigned)i;
    printf("%u\n", value);
    return 0;
}
