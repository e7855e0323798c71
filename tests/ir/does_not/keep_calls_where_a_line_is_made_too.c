// tests: where a line is made besides, LLVM takes in what it likes.
// RUN: %optimize %s | %check %s
// PLAN: 1 hoist main/0 main/2
// PLAN: 2 merge raise_all/0 = first second
// CHECK-LABEL: define {{.*}} @main(
// CHECK-NOT: @work({{.*}}) #
// CHECK: {{^}}}
// CHECK: decision 1 applied
// CHECK: decision 2 applied
#include "block_and_list.h"
