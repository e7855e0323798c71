// tests: a thread that the C library doesn't know of may be there.
// RUN: %optimize %s | %check %s
// PLAN: 1 elide read_some/0 open_file/0 look_at/0
// CHECK-NOT: thalweg_crossing
// CHECK: decision 1 refused: the program uses syscall
#include "file.h"

int main(int arguments, char **names) {
    char buffer[1000];
    struct stat status;
    const int file = open_file(names[arguments - 1]);
    look_at(file, &status);
    syscall(186);
    return (int)read_some(file, buffer, sizeof buffer);
}
