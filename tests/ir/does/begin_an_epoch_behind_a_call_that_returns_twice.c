// tests: a child of vfork has the program's memory, and descriptors of its own: what it has noted when a fault ends it is wrong for its parent.
// RUN: %optimize %s | %check %s
// PLAN: 1 coalesce put/0 put/1
// CHECK: [[KNOWN:@thalweg.descriptors]] = internal global [{{[0-9]+}} x i64] [i64 1, i64 0,
// CHECK-LABEL: define {{.*}} @have_child(
// CHECK: atomicrmw add ptr [[KNOWN]], i64 1 monotonic
// CHECK: call i32 @vfork()
// CHECK-NEXT: store atomic i64 %{{.*}},
// CHECK-NEXT: atomicrmw add ptr [[KNOWN]], i64 1 monotonic
#include "put_parts.h"
int vfork(void);
int have_child(void) { return vfork(); }
int main(int argc, char **argv) { return put(argc, argv[0], 8, 0); }
