// tests: where one call alone leads, what is noted of it is what is noted at all.
// FLAGS: -mllvm -inline-threshold=-100000
// RUN: %probe %s | %check %s
#include "switching_layer.h"

int all(struct stream *from, int value) { return one(from, value); }

// CHECK: call void @thalweg_probe_fact(i32 {{[0-9]+}},
// CHECK-NOT: load i64, ptr @thalweg_probe_entry_call
// CHECK: "fact_places": [
// CHECK-NOT: "call": {
// CHECK: {{^}}}
