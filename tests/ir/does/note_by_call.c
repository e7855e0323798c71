// tests: what two calls lead to is noted apart: the caller's second body says which call it is, the callee's notes so much further on.
// FLAGS: -mllvm -inline-threshold=-100000
// RUN: %probe %s | %check %s
// RUN: %probe %s | %check %s --check-prefix=TABLE
#include "switching_layer.h"

int both(struct stream *from, struct stream *to, int value) { return one(to, one(from, value)); }

// The plain bodies say nothing, and what is not taken is forgotten.
// CHECK-LABEL: define {{.*}}i32 @one(
// CHECK: thalweg.not_now:
// CHECK: store i64 0, ptr %{{.*}}
// CHECK: {{^}}}
// CHECK-LABEL: define {{.*}}i32 @both(
// CHECK: thalweg.plain:
// CHECK-NOT: @thalweg_probe_entry_call
// CHECK: {{^}}}
// CHECK-LABEL: define internal {{.*}}@one.thalweg.noted(
// CHECK: %[[WORD:.*]] = load i64, ptr
// CHECK: %[[WHO:.*]] = lshr i64 %[[WORD]], 32
// CHECK: %[[IS_MEANT:.*]] = icmp eq i64 %[[WHO]], [[ONE:[0-9]+]]
// CHECK: %[[SHIFT:.*]] = select i1 %[[IS_MEANT]], i32 %{{.*}}, i32 0
// CHECK: %[[PLACE:.*]] = add nuw i32 %[[SHIFT]], [[FIRST:[0-9]+]]
// CHECK: call void @thalweg_probe_fact(i32 %[[PLACE]],
// CHECK-LABEL: define internal {{.*}}@both.thalweg.noted(
// CHECK: select i1 %{{.*}}, i64 {{[0-9]+}}, i64 0
// CHECK: call {{.*}} @one(
// CHECK: select i1 %{{.*}}, i64 {{[0-9]+}}, i64 0
// CHECK: call {{.*}} @one(

// TABLE: "fact_places": [
// TABLE: "call": {
// TABLE-NEXT: "caller": 1,
// TABLE-NEXT: "ordinal": 0,
// TABLE: "call": {
// TABLE-NEXT: "caller": 1,
// TABLE-NEXT: "ordinal": 1,
