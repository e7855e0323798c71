// tests: `first` goes where it is not seen what is written beside it.
// RUN: %optimize %s | %check %s
// PLAN: 1 merge raise_all/0 = first second
// CHECK: @thalweg.image = {{.*}} [ptr @first, ptr @gate_two, ptr @second, ptr null], align 16
// CHECK-LABEL: define {{.*}}void @raise_all(
// CHECK: icmp eq ptr {{.*}}, null
// CHECK: decision 1 applied
#include "gated_slots.h"

struct slot given = {&gate_one, first};
