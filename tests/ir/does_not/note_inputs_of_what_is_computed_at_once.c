// tests: where computing takes no longer than comparing would, nothing is noted; nor where it isn't known what is compared.
// RUN: %probe %s | %check %s
// CHECK-NOT: thalweg.inputs
// CHECK: "computations": []
__attribute__((noinline)) int square(int value) { return value * value; }
__attribute__((noinline)) int sum(const int *values, int count) {
    int total = 0;
    for (int i = 0; i < count; ++i)
        total += values[i] * values[i] % 1000;
    return total;
}
