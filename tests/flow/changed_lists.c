/* tests: a list of handlers that signals change while it runs, so that the dispatch has several frequent orders, and what the handlers steer by
 * keeps to a few values: the plan has lines and a layer for the same function. argv[1]: how often signals come; argv[2]: dispatches. */
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { slots = 5 };
typedef void (*handler)(long *, long);
static struct slot {
    handler run;
    long *cell;
} list[slots];
static long cells[slots];
static int length = slots, scale = 3;
static uint64_t seen = 14695981039346656037u;
static int often;

static void note(uint64_t value) { seen = (seen ^ value) * 1099511628211u; }
static int now_and_then(long round, int offset) {
    return often == 0 ? 0 : often == 1 ? round % (97 + offset) == 0 : round % (5 + offset) == 0;
}

static void count(long *cell, long round) {
    ++*cell;
    note((uint64_t)round + 1);
}
static void add(long *cell, long round) {
    *cell += round * scale;
    if (now_and_then(round, 0))
        raise(SIGUSR1);
}
static void mix(long *cell, long round) {
    *cell ^= round;
    note((uint64_t)*cell);
}
static void take(long *cell, long round) {
    *cell -= round;
    if (now_and_then(round, 2))
        raise(SIGUSR2);
}

static void exchange_one(int signal) {
    (void)signal;
    list[2].run = list[2].run == mix ? count : mix;
    list[3].cell = list[3].cell == &cells[3] ? &cells[0] : &cells[3];
}
static void exchange_two(int signal) {
    (void)signal;
    const struct slot last = list[4];
    list[4] = list[0];
    list[0] = last;
    length = length == slots ? slots - 1 : slots;
}

__attribute__((noinline)) static void fire(long round) {
    for (int i = 0; i < length; ++i)
        list[i].run(list[i].cell, round);
}

int main(int words, char **word) {
    often = words > 1 ? atoi(word[1]) : 0;
    const long rounds = words > 2 ? atol(word[2]) : 20000;
    struct sigaction action = {.sa_handler = exchange_one};
    sigaction(SIGUSR1, &action, NULL);
    action.sa_handler = exchange_two;
    sigaction(SIGUSR2, &action, NULL);
    const handler first[slots] = {count, add, mix, take, mix};
    for (int i = 0; i < slots; ++i)
        list[i] = (struct slot){first[i], &cells[i]};
    for (long round = 0; round < rounds; ++round)
        fire(round);
    for (int i = 0; i < slots; ++i)
        printf("%ld\n", cells[i]);
    printf("%llx\n", (unsigned long long)seen);
    return 0;
}
