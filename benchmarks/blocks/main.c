/* benchmarks: small blocks that are asked for and given back, in the orders in which programs do. Prints a line for each case: nanoseconds a block. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "blocks.h"

enum { MOST = 4000 };
static unsigned char *volatile held[MOST];
static uint64_t digest;

static uint64_t now_ns(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static void see(const unsigned char *block) { digest = digest * 31 + *block; }

/* So many at a time, all of one size, and then all back. */
static void in_groups(long count, long group) {
    for (long done = 0; done < count; done += group) {
        for (long i = 0; i < group; ++i) {
            unsigned char *block = ask(40);
            *block = (unsigned char)(done + i);
            held[i] = block;
        }
        for (long i = 0; i < group; ++i) {
            see(held[i]);
            give_back(held[i], 40);
        }
    }
}
static void few(long count) { in_groups(count, 5); }
static void many(long count) { in_groups(count, 200); }
/* More than anybody keeps: a tree that is built and thrown away. */
static void bulk(long count) { in_groups(count, MOST); }

/* Each takes the place of one that was asked for some time before. */
static void mixed(long count) {
    static size_t sizes[64];
    uint32_t state = 1;
    for (long i = 0; i < count; ++i) {
        state = state * 1664525 + 1013904223;
        const size_t at = (state >> 8) % 64;
        if (held[at] && sizes[at]) {
            see(held[at]);
            give_back(held[at], sizes[at]);
        }
        sizes[at] = 8 + (state >> 16) % 300;
        held[at] = ask(sizes[at]);
        *held[at] = (unsigned char)i;
    }
    for (size_t i = 0; i < 64; ++i)
        if (sizes[i]) {
            give_back(held[i], sizes[i]);
            sizes[i] = 0;
            held[i] = NULL;
        }
}

/* A text that becomes longer as it is written. */
static void texts(long count) {
    for (long i = 0; i < count; ++i) {
        unsigned char *text = ask(24);
        text[0] = (unsigned char)i;
        for (size_t size = 24; size < 192; size *= 2)
            text = grow(text, size, size * 2);
        see(text);
        give_back(text, 192);
    }
}

static const struct {
    const char *name;
    void (*run)(long count);
} cases[] = {{"few", few}, {"many", many}, {"mixed", mixed}, {"texts", texts}, {"bulk", bulk}};

int main(int argc, char **argv) {
    if (argc != 3) {
        fprintf(stderr, "usage: %s CASE|all COUNT\n", argv[0]);
        return 2;
    }
    const long count = atol(argv[2]);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        if (strcmp(argv[1], "all") != 0 && strcmp(argv[1], cases[i].name) != 0)
            continue;
        memset((void *)held, 0, sizeof held);
        digest = 0;
        const uint64_t begin = now_ns();
        cases[i].run(count);
        const uint64_t took = now_ns() - begin;
        printf("%s %.3f ns %llu\n", cases[i].name, (double)took / (double)count, (unsigned long long)digest);
    }
    return 0;
}
