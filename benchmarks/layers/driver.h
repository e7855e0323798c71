// benchmarks: the loop in which each operation is timed, and what it prints.
#pragma once

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "harness/digest.h"

// What the i-th operation works on came from outside: the compiler knows nothing of memory any more.
static inline void from_outside(const void *memory) { __asm__ volatile("" : : "r"(memory) : "memory"); }

static inline double now_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return 1e9 * (double)now.tv_sec + (double)now.tv_nsec;
}

static inline int chosen(const char *word, const char *name) {
    return strcmp(word, "all") == 0 || strcmp(word, name) == 0;
}

static inline void tell(const char *name, double nanoseconds, uint64_t count, uint64_t digest) {
    printf("%s %.3f ns %016" PRIx64 "\n", name, nanoseconds / (double)(count == 0 ? 1 : count), digest);
}
