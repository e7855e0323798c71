#!/usr/bin/env bash
# thalweg auto: what pays in the user's own run stays; what doesn't is taken out, is not in the program, and the plan says why. Four handlers of
# a few instructions pay; where one raise comes with much work, none of them shows.
source "$(dirname "$0")/common.sh"
cat > paying.c <<'C'
#include <stdio.h>
#include <stdlib.h>
typedef void (*handler)(long *);
static void first(long *sum) { *sum += 1; }
static void second(long *sum) { *sum ^= 3; }
static void third(long *sum) { *sum += 5; }
static void fourth(long *sum) { *sum ^= 7; }
static handler *handlers;
static int count;
static void bind(handler one) { handlers = realloc(handlers, sizeof *handlers * (size_t)(count + 1)); handlers[count++] = one; }
static void raise_it(long *sum) { for (int i = 0; i < count; ++i) handlers[i](sum); }
int main(int argc, char **argv) {
    long raises = atol(argv[1]), work = atol(argv[2]), sum = argc;
    unsigned long mixed = 1;
    bind(first), bind(second), bind(third), bind(fourth);
    for (long n = 0; n < raises; ++n) {
        raise_it(&sum);
        /* A chain of multiplications takes as long wherever the loop is laid. */
        for (long i = 0; i < work; ++i) mixed = mixed * 6364136223846793005UL + 1442695040888963407UL;
    }
    printf("%ld %lu\n", sum, mixed);
    return 0;
}
C
thalweg-cc -O2 -g paying.c -o paying
thalweg auto ./paying -- 4000000 0 > out 2> said || die "paying: $(cat out said)"
grep -q '^done *merge .*4 targets merged' out || die "what pays is not done: $(cat out said)"
grep -q '^verdict *outputs equal; .* less processor time than the original' out || die "no gain: $(cat out)"
if grep -q '^taken out' out; then die "what pays was taken out: $(cat out)"; fi
# Instructions are counted where that is asked for.
thalweg compare ./paying ./paying.opt --runs 1 --instructions -- 20000 0 > out 2> said || die "compare: $(cat out said)"
grep -q '^instructions ratio 0\.[0-9]*: [0-9,]* of [0-9,]* ' out || die "fewer instructions are not told: $(cat out said)"
thalweg auto ./paying -- 15000 1500 > out 2> said || die "not paying: $(cat out said)"
grep -q '^taken out *lines of events (1 decision): did not pay' out || die "what doesn't pay was kept: $(cat out said)"
grep -q '^done *nothing' out || die "something is done: $(cat out)"
thalweg explain paying.plan 1 > out 2>&1 && grep -q 'does-not-pay: measured and taken out' out || die "the plan does not say why: $(cat out)"
same "$(./paying 10 10)" "$(./paying.opt 10 10)" "what the program shows without its line"
