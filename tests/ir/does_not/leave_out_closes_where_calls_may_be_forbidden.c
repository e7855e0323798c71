// tests: a program that forbids system calls may forbid those by which it is asked what is open.
// RUN: %optimize %s | %check %s
// PLAN: 1 elide close_all/0
// CHECK-NOT: thalweg_crossing
// CHECK: decision 1 refused: the program uses prctl
#include <sys/prctl.h>
#include <unistd.h>
void close_all(int count) {
    for (int number = 3; number < count; ++number)
        close(number);
    prctl(PR_SET_SECCOMP, 2, 0, 0, 0);
}
