// benchmarks: opens, copies and closes a file as many times as it is told: starting a process costs more than copying 80 KB.
#include <stdio.h>
#include <stdlib.h>

#include "copy.h"

int main(int argc, char **argv) {
    if (argc != 4) {
        fprintf(stderr, "usage: %s FROM TO COUNT    (makes TO.0, TO.1, ...)\n", argv[0]);
        return 2;
    }
    // New files: what an old one costs to be cut off is no part of copying, and differs with what the disk has to do.
    for (long i = 0, count = atol(argv[3]); i < count; ++i) {
        char to[4096];
        snprintf(to, sizeof to, "%s.%ld", argv[2], i);
        copy(argv[1], to);
    }
    return 0;
}
