// tests: where a line is made besides, functions are other code than before, and lie as LLVM likes.
// RUN: %optimize --passes thalweg-link-O2 %s | %check %s
// PLAN: 1 hoist main/0 main/2
// PLAN: 2 merge raise_all/0 = first second
// PLACE: main 48
// CHECK: define {{.*}} @main(
// CHECK-NOT: prefix
// CHECK: decision 1 applied
// CHECK: decision 2 applied
#include "block_and_list.h"
