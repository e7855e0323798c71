// tests: a thread that has descriptors of its own may find others open than those that all threads were asked for.
// RUN: %optimize %s | %check %s
// PLAN: 1 elide close_all/0
// CHECK-NOT: thalweg_crossing
// CHECK: decision 1 refused: the program uses unshare: what it may do or share isn't seen
#include <unistd.h>
int unshare(int flags);
void close_all(int count) {
    for (int number = 3; number < count; ++number)
        close(number);
    unshare(0x400);
}
