// tests: a loop whose state is known in each round, and decides next to nothing, is copied once. What the fact decides behind it is decided.
// FLAGS: -mllvm -inline-threshold=-100000
// RUN: %optimize %s | %check %s
// PLAN: 1 specialize count growth=20000 : load count/0:4 = 1
// CHECK: decision 1 applied: 1 calls unfolded, 1 of them through pointers
#include "states_of_data.h"

int count(const unsigned char *text) {
    const int which = mode;
    READ(text, 77)
    return steps[which](hits[0]);
}
