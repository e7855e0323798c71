// tests: what fcntl does with a lock is more than to act on a descriptor.
// RUN: %optimize %s | %check %s
// PLAN: 1 elide unlock_all/0
// CHECK-NOT: thalweg_crossing
// CHECK: decision 1 refused: fcntl may do more than act on a descriptor
#include <fcntl.h>
void unlock_all(int count, struct flock *lock) {
    for (int number = 3; number < count; ++number)
        fcntl(number, F_SETLK, lock);
}
