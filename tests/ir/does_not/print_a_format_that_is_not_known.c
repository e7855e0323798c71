// tests: a format that the program computes.
// RUN: %optimize %s | %check %s
// PLAN: 1 expand main/0 hash=0x1
// CHECK-NOT: call {{.*}}@thalweg.
// CHECK: decision 1 refused: there is no system call 0 in main
#include <stdio.h>
int main(int count, char **words) { return printf(words[1], count) < 0; }
