// tests: a function that computes from its arguments alone keeps its results in memory now, and so do its callers.
// RUN: %optimize %s | %check %s
// PLAN: 1 cache square
// CHECK: define {{.*}} @square({{.*}} [[OF_SQUARE:#[0-9]+]]
// CHECK: define {{.*}} @more({{.*}} [[OF_MORE:#[0-9]+]]
// CHECK-NOT: attributes [[OF_SQUARE]] = {{.*}}memory(none)
// CHECK-NOT: attributes [[OF_MORE]] = {{.*}}memory(none)
__attribute__((noinline)) int square(int value) { return value * value; }
__attribute__((noinline)) int more(int value) { return square(value) + 1; }
