// tests: a function of the program's own is called printf.
// RUN: %optimize %s | %check %s
// PLAN: 1 expand main/0 hash=0x1
// CHECK-NOT: call {{.*}}@thalweg.
// CHECK: decision 1 refused: there is no system call 0 in main
#include <stdarg.h>
#include <unistd.h>
__attribute__((noinline)) int printf(const char *format, ...) { return (int)write(1, format, 2); }
int main(int count, char **words) { return printf("%d %s", count, words[0]) < 0; }
