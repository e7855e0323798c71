// tests: a fact that the way to the loop stores is not tested before the way, where another value may have been.
// FLAGS: -mllvm -inline-threshold=-100000
// RUN: %optimize %s | %check %s
// PLAN: 1 specialize operate_in : load transfer/1:4 from operate_in/0 = 1 ; load transfer/2:4 from operate_in/0 = 0 ; load transfer/1:4 from operate_in/1 = 0 ; load transfer/2:4 from operate_in/1 = 1
// CHECK-LABEL: define {{.*}} @operate_in(
// CHECK-NOT: load i32
// CHECK: store i32 %order
// CHECK: load i32
// CHECK: {{^}}}
// CHECK: decision 1 applied: {{.*}} 4 facts tested; 1 loops with one test
#include "pair.h"

unsigned operate_in(struct pair *pair, unsigned *values, unsigned count, int order) {
    unsigned word = 0;
    pair->from->order = order;
    pair->from->at = values;
    pair->to->at = pair->buffer;
    pair->from->left = pair->to->left = count;
    while (transfer(pair->from, &word) && transfer(pair->to, &word)) {
    }
    return pair->from->sum ^ pair->to->sum;
}
