// tests: a system call whose number shows that it forbids others is one that does harm.
// RUN: %optimize %s | %check %s
// PLAN: 1 elide close_all/0
// CHECK-NOT: thalweg_crossing
// CHECK: decision 1 refused: the program uses syscall: it may forbid itself system calls
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <unistd.h>
void close_all(int count) {
    syscall(SYS_seccomp, 0, 0, 0);
    for (int number = 3; number < count; ++number)
        close(number);
}
