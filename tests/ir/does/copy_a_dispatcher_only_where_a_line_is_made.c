// tests: a dispatcher that two layers of callers share becomes part of the one function whose line the plan wants, the way to it included.
// FLAGS: -mllvm -inline-threshold=-100000
// RUN: %optimize %s | %check %s
// PLAN: 1 merge one/0 = hello
// CHECK-LABEL: define {{.*}} @through(
// CHECK: call void @each(
// CHECK-LABEL: define {{.*}} @one(
// CHECK-NOT: call void @through(
// CHECK: thalweg.front
// CHECK-LABEL: define {{.*}} @two(
// CHECK: call void @through(
// CHECK-NOT: thalweg-origin
// CHECK: ; decision 1 applied
struct list {
    int count;
    void (*functions[8])(int);
};

void tell(int value);
void hello(int value) { tell(value); }

void each(const struct list *list, int value) {
    for (int i = 0; i < list->count; ++i)
        list->functions[i](value);
}

void through(const struct list *list, int value) { each(list, value + 1); }
void one(const struct list *list) { through(list, 1); }
void two(const struct list *list) { through(list, 2); }
