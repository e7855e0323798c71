// tests: a handler that raises its own event is taken in as often as the plan says, and then ends in the original.
// RUN: %optimize %s | %check %s
// PLAN: 1 merge raise_one/0 = *plain*on_one*
// PLAN: 2 subsume *plain*on_one*/0 in 1.0 = *plain*on_one*
// PLAN: 3 subsume *plain*on_one*/0 in 2.0 = *plain*on_one*
#include <thalweg/event.h>
thalweg::Event<int> one{"one"};
int count;
void on_one(int argument) {
    ++count;
    if (argument > 0)
        one.raise(argument - 1);
}
void use() { one.bind<&on_one>(); }
// CHECK-LABEL: define {{.*}}void @raise_one(
// CHECK: store i32 {{.*}} @count
// CHECK: decision 1 applied
// CHECK: decision 3 {{applied|refused}}
extern "C" [[gnu::noinline]] void raise_one(int argument) { one.raise(argument); }
