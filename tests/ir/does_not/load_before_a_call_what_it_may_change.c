// tests: where a function is called before the loop, nothing is loaded before that call, and the loop's test stands behind it.
// FLAGS: -mllvm -inline-threshold=-100000
// RUN: %optimize %s | %check %s
// PLAN: 1 specialize operate_prepared : load transfer/1:4 from operate_prepared/0 = 1 ; load transfer/2:4 from operate_prepared/0 = 0 ; load transfer/1:4 from operate_prepared/1 = 0 ; load transfer/2:4 from operate_prepared/1 = 1
// CHECK-LABEL: define {{.*}} @operate_prepared(
// CHECK-NOT: load ptr
// CHECK: call void @prepare(
// CHECK: load ptr, ptr %pair
// CHECK: {{^}}}
// CHECK: decision 1 applied
#include "pair.h"

void prepare(struct pair *pair);

unsigned operate_prepared(struct pair *pair, unsigned *values, unsigned count) {
    unsigned word = 0;
    prepare(pair);
    pair->from->at = values;
    pair->to->at = pair->buffer;
    while (transfer(pair->from, &word) && transfer(pair->to, &word)) {
    }
    return pair->from->sum ^ pair->to->sum ^ count;
}
