// tests: where nothing but a system call was changed, what the program's build left as a call stays one.
// RUN: %optimize %s | %check %s
// PLAN: 1 hoist main/0 main/2
// CHECK-LABEL: define {{.*}} @main(
// CHECK: call {{.*}}@work({{.*}}) #[[CALL:[0-9]+]]
// CHECK: attributes #[[CALL]] = { {{.*}}noinline
// CHECK: decision 1 applied
#include "block_and_list.h"
