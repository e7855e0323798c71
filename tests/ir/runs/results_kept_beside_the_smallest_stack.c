// tests: a thread with the smallest stack that there is starts and prints, as much as there is to be kept.
// FLAGS: -pthread -D_GNU_SOURCE
// RUN: %run %s | %check %s
// PLAN: 1 cache first
// PLAN: 2 cache second
// PLAN: 3 cache third
// PLAN: 4 cache fourth
// CHECK: decision 1 applied
// CHECK: decision 2 applied
// CHECK: decision 3 refused
// CHECK: decision 4 refused
// CHECK: ; the same
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#define FILLS(name, bytes, add)                                                                                        \
    __attribute__((noinline)) void name(unsigned char *table, unsigned short step) {                                   \
        for (int i = 0; i < (bytes); ++i)                                                                              \
            table[i] = (unsigned char)(i * step + (add) >> 3);                                                         \
    }
FILLS(first, 2900, 1)
FILLS(second, 2900, 2)
FILLS(third, 2900, 3)
FILLS(fourth, 2900, 4)

static unsigned char tables[4][2900];
static void *in_a_thread(void *argument) {
    void (*const fills[4])(unsigned char *, unsigned short) = {first, second, third, fourth};
    for (int i = 0; i < 12; ++i) {
        fills[i % 4](tables[i % 4], (unsigned short)(i / 8));
        printf("%d %g\n", i, tables[i % 4][2899 - i] / 3.0);
    }
    return argument;
}

int main(void) {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    const int set = pthread_attr_setstacksize(&attributes, PTHREAD_STACK_MIN);
    pthread_t thread;
    const int made = pthread_create(&thread, &attributes, in_a_thread, NULL);
    if (made == 0)
        pthread_join(thread, NULL);
    printf("%s, %s\n", strerror(set), strerror(made));
    return made;
}
