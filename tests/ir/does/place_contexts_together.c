// tests: variables that the handlers of a line work on lie beside each other, in the line's order.
// RUN: %optimize %s | %check %s
// PLAN: 1 merge raise_all/0 = add@third add@first
#include "pointed_raise.h"
int first, second, third;
void add(void *context, int by) { *(int *)context += by; }
struct event event;
// CHECK: @third = {{.*}}global i32 0
// CHECK-NEXT: @first = {{.*}}global i32 0
// CHECK: @second = {{.*}}global i32 0
// CHECK: decision 1 applied
__attribute__((noinline)) void raise_all(int argument) { raise_event(&event, argument); }
int use_second(void) { return second; }
