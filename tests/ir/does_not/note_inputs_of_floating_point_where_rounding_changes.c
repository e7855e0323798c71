// tests: what would not be kept is not noted in the twin; what computes with whole numbers is.
// RUN: %probe %s | %check %s
// CHECK-NOT: @powers.thalweg.last
// CHECK: @products.thalweg.last
// CHECK-NOT: @powers.thalweg.last
#include <fenv.h>
void set(int mode) { fesetround(mode); }
__attribute__((noinline)) double powers(double value) {
    double sum = 0;
    for (int i = 0; i < 100; ++i)
        sum = sum / 3 + value;
    return sum;
}
__attribute__((noinline)) int products(int value) {
    int sum = 0;
    for (int i = 0; i < 100; ++i)
        sum = sum / 3 ^ value;
    return sum;
}
