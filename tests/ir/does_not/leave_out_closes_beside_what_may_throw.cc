// tests: what may throw in each round is a call as any other.
// RUN: %optimize %s | %check %s
// PLAN: 1 elide _Z9close_alli/0
// CHECK-NOT: thalweg_crossing
// CHECK: decision 1 refused: others could tell when the loop's calls are made: it calls _Z4telli in each round
#include <unistd.h>
void tell(int number);
int close_all(int count) {
    int caught = 0;
    for (int number = 3; number < count; ++number) {
        close(number);
        try {
            tell(number);
        } catch (int) {
            ++caught;
        }
    }
    return caught;
}
