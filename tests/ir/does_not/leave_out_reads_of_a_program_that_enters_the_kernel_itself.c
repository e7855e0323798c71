// tests: assembler that enters the kernel may forbid system calls.
// RUN: %optimize %s | %check %s
// PLAN: 1 elide read_some/0 open_file/0 look_at/0
// CHECK-NOT: thalweg_crossing
// CHECK: decision 1 refused: the program uses assembler that enters the kernel
#include "file.h"
static long forbid(long number, long operation, const void *filter) {
    long result;
#ifdef __x86_64__
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(operation), "S"(0), "d"(filter)
                     : "rcx", "r11", "memory");
#else
    register long x8 __asm__("x8") = number;
    __asm__ volatile("svc 0" : "=r"(result) : "r"(x8), "r"(operation), "r"(filter) : "memory");
#endif
    return result;
}
int main(int arguments, char **names) {
    char buffer[1000];
    struct stat status;
    const int file = open_file(names[arguments - 1]);
    look_at(file, &status);
    forbid(317, 1, names);
    return (int)read_some(file, buffer, sizeof buffer);
}
