// tests: what was noted of one call is not looked for behind another, nor where the call is not the one that was recorded.
// FLAGS: -mllvm -inline-threshold=-100000
// RUN: %optimize %s | %check %s
// PLAN: 1 specialize other : load one/0:4 from both/0 = 5
// PLAN: 2 specialize both : load one/0:4 from both/7 = 5
#include "inner_layer.h"

int both(struct stream *from, struct stream *to, int value) { return one(to, one(from, value)); }
int other(struct stream *from, int value) { return one(from, value); }

// CHECK: decision 1 applied: 1 calls unfolded, {{.*}} 0 facts tested
// CHECK: decision 2 refused: {{.*}}call 7 of both is not one of one
