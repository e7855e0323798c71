// tests: one call alone, and one on the same number in each round, find out nothing for the next.
// RUN: %optimize %s | %check %s
// PLAN: 1 elide close_one/0
// PLAN: 2 elide close_again/0
// CHECK-NOT: thalweg_crossing
// CHECK: decision 1 refused: the result of close isn't known: there is no loop around it
// CHECK: decision 2 refused: the loop calls it with the same number in each round
#include <unistd.h>
int close_one(int number) { return close(number); }
void close_again(int number) {
    while (close(number) != 0)
        ;
}
