// tests: the twin notes of a function that computes for long whether its inputs' hash is that of the entry before.
// RUN: %probe %s | %check %s
// CHECK: @thalweg_probe_fact_open = hidden global [1 x i8]
// CHECK: @set_key.thalweg.last = internal thread_local global i64 0
// CHECK-LABEL: define {{.*}} @set_key(
// CHECK: load i8, ptr @thalweg_probe_fact_open
// CHECK: call void @set_key.thalweg.inputs(ptr {{.*}}, ptr {{.*}})
// CHECK-LABEL: define internal void @set_key.thalweg.inputs(
// CHECK: call i64 @thalweg_probe_hash(i64 1, ptr {{.*}}, i64 16)
// CHECK: call void @thalweg_probe_fact(i32 0, i64 {{.*}}, i32 0)
// CHECK: "computations": [
// CHECK: "input_bytes": 16,
// CHECK: "result_bytes": 176
#include "key_schedule.h"
