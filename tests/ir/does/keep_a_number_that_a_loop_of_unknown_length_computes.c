// tests: how often a loop goes round is of no matter where it touches nothing that others see.
// RUN: %optimize %s | %check %s
// PLAN: 1 cache power
// CHECK-LABEL: define {{.*}} @power(
// CHECK-NOT: memcmp
// CHECK: decision 1 applied: 16 bytes of inputs are compared, 8 bytes of results kept
#include <stdint.h>
__attribute__((noinline)) uint64_t power(uint64_t base, uint64_t exponent) {
    uint64_t product = 1;
    for (; exponent != 0; exponent >>= 1) {
        product = exponent & 1 ? product * base % 1000003 : product;
        base = base * base % 1000003;
    }
    return product;
}
