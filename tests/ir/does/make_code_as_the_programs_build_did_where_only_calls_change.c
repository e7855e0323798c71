// tests: where only system calls were changed, functions begin in a cache line where they began, and no pass joins what is apart.
// RUN: %optimize --passes thalweg-link-O2 %s | %check %s
// PLAN: 1 hoist main/0 main/2
// PLACE: main 48
// PLACE: work 0
// CHECK: define {{.*}} @work({{.*}} align 64 {
// CHECK: define {{.*}} @main({{.*}} align 64 prefix [48 x i8] c"\CC{{.*}}" {
// CHECK: call {{.*}}@work(
// CHECK: decision 1 applied
#include "block_and_list.h"
