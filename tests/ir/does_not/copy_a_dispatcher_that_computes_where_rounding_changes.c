// tests: a dispatcher that computes in floating point gets no copies in its callers where the program sets how it rounds: with a caller's
// constants the compiler would compute in the default mode. Neither in the twin, nor for a line.
// FLAGS: -mllvm -inline-threshold=-100000
// RUN: %optimize %s | %check %s
// RUN: %probe %s | %check --check-prefix=TWIN %s
// PLAN: 1 merge one/0 = hello
// CHECK-LABEL: define {{.*}} @one(
// CHECK: call void @each(
// CHECK: ; decision 1 refused: no dispatch loop number 0 in a function one
// TWIN-LABEL: define {{.*}} @one(
// TWIN: call void @each(
#include <fenv.h>
void set(int mode) { fesetround(mode); }
struct list {
    int count;
    void (*functions[8])(double);
};

void tell(double value);
void hello(double value) { tell(value); }

void each(const struct list *list, double value) {
    for (int i = 0; i < list->count; ++i)
        list->functions[i](value / 3);
}

void one(const struct list *list) { each(list, 1.0); }
void two(const struct list *list) { each(list, 2.0); }
