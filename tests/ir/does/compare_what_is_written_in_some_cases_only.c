// tests: what a variable holds in the cases in which it is not written is an input: 4 bytes of the argument and 4 of the variable.
// RUN: %optimize %s | %check %s
// PLAN: 1 cache note_largest
// CHECK: call i32 @memcmp(ptr @largest, {{.*}}, i64 4)
// CHECK: decision 1 applied: 8 bytes of inputs are compared, 8 bytes of results kept
int largest;
__attribute__((noinline)) int note_largest(int value) {
    const int rest = value % 1000;
    if (rest > 500)
        largest = value;
    return rest;
}
