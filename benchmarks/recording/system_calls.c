/* benchmarks: a loop of nothing but system calls: read of one byte from /dev/zero. usage: system_calls calls COUNT */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static double now_ns(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

int main(int argc, char **argv) {
    long count = argc > 2 ? atol(argv[2]) : 1;
    int zero = open("/dev/zero", O_RDONLY);
    long given = 0;
    char byte;
    double begin = now_ns();
    for (long i = 0; i < count; ++i)
        given += read(zero, &byte, 1);
    printf("%s %.3f ns %ld\n", argv[1], (now_ns() - begin) / (double)count, given);
    return given != count;
}
