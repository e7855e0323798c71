// tests: the user told the compiler that printf need not be the library's.
// RUN: %optimize %s | %check %s
// FLAGS: -fno-builtin-printf
// PLAN: 1 expand main/0 hash=0x1
// CHECK-NOT: call {{.*}}@thalweg.
// CHECK: decision 1 refused: there is no system call 0 in main
#include <stdio.h>
int main(int count, char **words) { return printf("%d %s", count, words[0]) < 0; }
