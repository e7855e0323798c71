// tests: a pointer that is stored on the way to the loop is not loaded before the way, where another lay.
// FLAGS: -mllvm -inline-threshold=-100000 -fno-strict-aliasing
// RUN: %optimize %s | %check %s
// PLAN: 1 specialize operate_on : load transfer/1:4 from operate_on/0 = 1 ; load transfer/2:4 from operate_on/0 = 0 ; load transfer/1:4 from operate_on/1 = 0 ; load transfer/2:4 from operate_on/1 = 1
// CHECK-LABEL: define {{.*}} @operate_on(
// CHECK: load ptr, ptr %pair
// CHECK-NOT: getelementptr i8, ptr %pair, i64 8
// CHECK: icmp ule i64
// CHECK: store ptr %to, ptr
// CHECK: {{^}}}
// CHECK: decision 1 applied
#include "pair.h"

unsigned operate_on(struct pair *pair, struct stream *to, unsigned *values, unsigned count) {
    unsigned word = 0;
    pair->to = to;
    pair->from->at = values;
    pair->to->at = pair->buffer;
    pair->from->left = pair->to->left = count;
    while (transfer(pair->from, &word) && transfer(pair->to, &word)) {
    }
    return pair->from->sum ^ pair->to->sum;
}
