// tests: what is called in each round may open something, or tell others how far the loop is.
// RUN: %optimize %s | %check %s
// PLAN: 1 elide close_all/0
// CHECK-NOT: thalweg_crossing
// CHECK: decision 1 refused: others could tell when the loop's calls are made: it calls tell in each round
#include <unistd.h>
void tell(int number);
void close_all(int count) {
    for (int number = 3; number < count; ++number) {
        close(number);
        tell(number);
    }
}
