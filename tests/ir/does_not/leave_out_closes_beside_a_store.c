// tests: a signal's handler could see by what a round stores how far the loop is.
// RUN: %optimize %s | %check %s
// PLAN: 1 elide close_all/0
// CHECK-NOT: thalweg_crossing
// CHECK: decision 1 refused: others could tell when the loop's calls are made: it changes memory in each round
#include <unistd.h>
void close_all(int count, int *results) {
    for (int number = 3; number < count; ++number)
        results[number] = close(number);
}
