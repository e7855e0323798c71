// tests: what a signal's handler tells by a volatile variable ends the loop.
// RUN: %optimize %s | %check %s
// PLAN: 1 elide close_all/0
// CHECK-NOT: thalweg_crossing
// CHECK: decision 1 refused: others could tell when the loop's calls are made: it looks at what others may change
#include <signal.h>
#include <unistd.h>
extern volatile sig_atomic_t stopped;
void close_all(int count) {
    for (int number = 3; number < count && !stopped; ++number)
        close(number);
}
