// tests: a program that forbids system calls may forbid those that the crossing room makes.
// RUN: %optimize %s | %check %s
// PLAN: 1 elide read_some/0 open_file/0 look_at/0
// CHECK-NOT: thalweg_crossing
// CHECK: decision 1 refused: the program uses prctl
#include "file.h"
#include <sys/prctl.h>
int main(int arguments, char **names) {
    char buffer[1000];
    struct stat status;
    const int file = open_file(names[arguments - 1]);
    look_at(file, &status);
    prctl(PR_SET_SECCOMP, 1, 0, 0, 0);
    return (int)read_some(file, buffer, sizeof buffer);
}
