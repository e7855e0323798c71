// tests: where a plan's outer layer was turned into a refusal, the one inside of it has the room that the plan gave it itself.
// FLAGS: -mllvm -inline-threshold=-100000
// RUN: %optimize %s | %check %s
// PLAN: 1 specialize outer refusal=by-hand growth=500 : load send/0:4 = 1
// PLAN: 2 specialize send parent=1 growth=500 : load send/0:4 = 1
// CHECK: decision 1 refused: the plan refuses it
// CHECK: decision 2 applied
#include "inner_sender.h"
