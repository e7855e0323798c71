// tests: who sees that a signal's handler was there, sees too whether what it opened is closed.
// RUN: %optimize %s | %check %s
// PLAN: 1 elide close_all/0
// CHECK-NOT: thalweg_crossing
// CHECK: decision 1 refused: others could tell when the loop's calls are made: it looks at what others may change
#include <unistd.h>
int limit = 1024;
void close_all(void) {
    for (int number = 3; number < limit; ++number)
        close(number);
}
