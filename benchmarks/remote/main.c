// benchmarks: asks again and again, and tells how long a row of questions takes, by the clock and of the processor, and a digest of all prices.
//   client PORT all|2|4|8 ROWS
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "client.h"

static const struct {
    const char *name;
    long (*ask)(int first);
} cases[] = {{"2", ask_2}, {"4", ask_4}, {"8", ask_8}};

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static double used_seconds(void) {
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
           (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e6;
}

int main(int count, char **words) {
    if (count < 4)
        return 2;
    begin((unsigned short)atoi(words[1]));
    const int rows = atoi(words[3]);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        if (strcmp(words[2], "all") != 0 && strcmp(words[2], cases[i].name) != 0)
            continue;
        uint64_t digest = 0;
        const double began = seconds();
        const double used = used_seconds();
        for (int row = 0; row < rows; ++row) {
            const long sum = cases[i].ask(row * 8);
            if (sum < 0) {
                fprintf(stderr, "question %ld of row %d has failed\n", -sum, row);
                return 1;
            }
            digest = digest * 31 + (uint64_t)sum;
        }
        printf("%s elapsed %.3f us cpu %.3f us digest %llx\n", cases[i].name, (seconds() - began) / rows * 1e6,
               (used_seconds() - used) / rows * 1e6, (unsigned long long)digest);
    }
    return 0;
}
