// tests: beside `first` the program writes one thing here and another there: it is asked only whether it is null.
// RUN: %optimize %s | %check %s
// PLAN: 1 merge raise_all/0 = first second
// CHECK: @thalweg.image = {{.*}} [ptr @first, ptr @gate_two, ptr @second, ptr null], align 16
// CHECK-LABEL: define {{.*}}void @raise_all(
// CHECK: icmp eq ptr {{.*}}, null
// CHECK: decision 1 applied
#include "gated_slots.h"

void add_again(struct slot *at) {
    at->function = first;
    at->gate = &gate_two;
}
