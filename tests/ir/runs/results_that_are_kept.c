// tests: functions whose last results are kept, with inputs that change behind the same pointer, results that were written over, results
// that lie over inputs, several threads, and a signal that comes at any time.
// FLAGS: -pthread -D_GNU_SOURCE
// RUN: %run %s | %check %s
// PLAN: 1 cache set_key
// PLAN: 2 cache note_largest
// PLAN: 3 cache digest
// PLAN: 4 cache bits_of
// PLAN: 5 cache value_or_zero
// PLAN: 6 cache moved
// CHECK-COUNT-6: applied
// CHECK: ; the same
#include "key_schedule.h"
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>

struct pair {
    double first;
    long second;
};
int largest = 3;
__attribute__((noinline)) int note_largest(int value) {
    if (value > largest)
        largest = value;
    return value / 3;
}
__attribute__((noinline)) uint32_t digest(const struct schedule *schedule) {
    uint32_t sum = 1;
    for (int i = 0; i < 44; ++i)
        sum = sum * 31 + schedule->words[i];
    return sum;
}
__attribute__((noinline)) struct pair bits_of(float value, struct pair by_value) {
    return (struct pair){1 / value + by_value.first, by_value.second * 3};
}
__attribute__((noinline)) int value_or_zero(const int *place) { return place ? *place * 7 : 0; }
__attribute__((noinline)) void moved(uint32_t *to, const uint32_t *from) {
    for (int i = 0; i < 8; ++i)
        to[i] = from[i] + (i > 0 ? to[i - 1] : 5);
}

static void *in_a_thread(void *argument) {
    const int own = (int)(long)argument;
    uint8_t key[16] = {0};
    struct schedule schedule;
    uint32_t sum = 0;
    for (int i = 0; i < 300000; ++i) {
        key[own] = (uint8_t)(i / 3);
        set_key(&schedule, key);
        sum = sum * 7 + digest(&schedule);
    }
    return (void *)(long)sum;
}

static uint8_t other_key[16] = "another one";
static struct schedule of_signal;
static volatile unsigned signals;
static void on_signal(int number) {
    (void)number;
    other_key[0] = (uint8_t)(signals / 2);
    set_key(&of_signal, other_key);
    signals = signals + 1;
}

static unsigned wrong_beside_signals(void) {
    unsigned wrong = 0;
    uint8_t keys[3][16] = {"first", "second", "third"};
    struct schedule right[3], now;
    for (int i = 0; i < 3; ++i)
        set_key(&right[i], keys[i]);
    signal(SIGALRM, on_signal);
    const struct itimerval often = {{0, 50}, {0, 50}};
    setitimer(ITIMER_REAL, &often, NULL);
    for (int i = 0; signals < 300; ++i) {
        const int which = i / 5 % 3;
        set_key(&now, keys[which]);
        wrong += memcmp(&now, &right[which], sizeof now) != 0;
    }
    setitimer(ITIMER_REAL, &(struct itimerval){0}, NULL);
    return wrong;
}

int main(void) {
    uint8_t key[16] = "0123456789abcde";
    struct schedule schedule = {{0}};
    for (int i = 0; i < 60; ++i) {
        if (i % 7 == 3)
            key[i % 16] ^= (uint8_t)i;
        set_key(&schedule, key);
        printf("%u ", digest(&schedule));
        schedule.words[i % 44] = 0;
        printf("%u %d %d\n", digest(&schedule), note_largest(i / 4 * 3 % 31), largest);
        if (i % 9 == 0)
            largest = i % 5;
        const struct pair pair = bits_of(i % 4 < 2 ? 0.0f : -0.0f, (struct pair){i / 20, i / 10});
        printf("%g %ld %d %d\n", pair.first, pair.second, value_or_zero(i % 3 ? &largest : NULL),
               value_or_zero(&largest));
    }
    uint32_t words[32];
    for (int i = 0; i < 300; ++i) {
        for (int k = 0; k < 32; ++k)
            words[k] = (uint32_t)(k * (i / 100));
        moved(words + i % 12, words + i % 5 * 3);
        printf("%u %u\n", words[i % 32], words[31 - i % 32]);
        set_key(&schedule, (uint8_t *)(schedule.words + i % 20));  // the key lies in what is made of it
        printf("%u\n", digest(&schedule));
    }
    pthread_t threads[4];
    for (long i = 0; i < 4; ++i)
        pthread_create(&threads[i], NULL, in_a_thread, (void *)i);
    for (int i = 0; i < 4; ++i) {
        void *sum;
        pthread_join(threads[i], &sum);
        printf("%lx\n", (long)sum);
    }
    printf("wrong: %u\n", wrong_beside_signals());
    return 0;
}
