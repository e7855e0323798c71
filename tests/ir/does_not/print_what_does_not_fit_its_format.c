// tests: an argument of another type than the format says: the library is to make of it what it does.
// RUN: %optimize %s | %check %s
// PLAN: 1 expand main/0 hash=0x1
// CHECK-NOT: call {{.*}}@thalweg.
// CHECK: decision 1 refused: there is no system call 0 in main
#include <stdio.h>
int main(int count, char **words) {
    int (*print)(const char *, ...) = printf;
    return print("%ld %s\n", count, words[0]) < 0;
}
