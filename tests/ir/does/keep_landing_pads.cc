// tests: an invoke of a handler stays an invoke, with what the loop would catch.
// RUN: %optimize %s | %check %s
// PLAN: 1 merge raise_all/0 = first second
extern "C" void first(int);
extern "C" void second(int);
void (*handlers[])(int) = {first, second};
extern "C" void thrown(int);

// CHECK-LABEL: define {{.*}}void @raise_all(
// CHECK: invoke void @first(
// CHECK-NEXT: unwind label %[[PAD:[0-9a-z.]+]]
// CHECK: {{^}}[[PAD]]:
// CHECK-NEXT: landingpad
// CHECK-NEXT: cleanup
// CHECK-NEXT: catch ptr @_ZTIi
// CHECK: invoke void @second(
// CHECK-NEXT: unwind label %[[PAD2:[0-9a-z.]+]]
// CHECK: {{^}}[[PAD2]]:
// CHECK-NEXT: landingpad
// CHECK: decision 1 applied: 2 targets merged
extern "C" [[gnu::noinline]] void raise_all(void (*const *list)(int), long count, int argument) {
    for (long i = 0; i < count; ++i)
        try {
            list[i](argument);
        } catch (int value) {
            thrown(value);
        }
}
