// tests: a system call whose number shows that it shares no descriptors and forbids nothing is no obstacle.
// RUN: %optimize %s | %check %s
// PLAN: 1 elide close_all/0
// CHECK: call i1 @thalweg_crossing_is_absent(
// CHECK: decision 1 applied
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <unistd.h>
void close_all(int count) {
    syscall(SYS_sched_yield);
    for (int number = 3; number < count; ++number)
        close(number);
}
