// tests: a second call in the loop is another one's.
// RUN: %optimize %s | %check %s
// PLAN: 1 elide close_all/0
// CHECK-NOT: thalweg_crossing
// CHECK: decision 1 refused: others could tell when the loop's calls are made: it calls close in each round
#include <unistd.h>
void close_all(int count) {
    for (int number = 3; number < count; ++number) {
        close(number);
        close(number + count);
    }
}
