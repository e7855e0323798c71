// tests: a program that is to be recorded counts, by decision, how often a layer was entered, and how often a fact did not hold there.
// RUN: %optimize --count-guards %s | %check %s
// RUN: %optimize %s | %check --check-prefix=PLAIN %s
// PLAN: 3 specialize send : load send/0:4 = 1

// Hits of decision 3 are counter 6, failures counter 7: an entry is a hit until a fact does not hold.
// CHECK: @thalweg_probe_guard_count = hidden constant i64 4
// CHECK-LABEL: define {{.*}}void @send(
// CHECK: getelementptr inbounds i64, ptr {{.*}}, i64 6
// CHECK: add i64 {{.*}}, 1
// CHECK: icmp eq i32 {{.*}}, 1
// CHECK: fails:
// CHECK: getelementptr inbounds i64, ptr {{.*}}, i64 6
// CHECK: add i64 {{.*}}, -1
// CHECK: getelementptr inbounds i64, ptr {{.*}}, i64 7
// CHECK: add i64 {{.*}}, 1
// CHECK: {{^}}}
// CHECK-NOT: thalweg.mark
// CHECK: decision 3 applied
// PLAIN-NOT: thalweg_probe
// PLAIN-NOT: thalweg.mark
// PLAIN: decision 3 applied
#include "sender.h"
