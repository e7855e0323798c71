// tests: where fstat may be given a bad address, it is made as it was, and its error is the program's: nothing is known of the file then.
// RUN: %optimize %s | %check %s
// PLAN: 1 elide read_some/0 open_file/0 look_at/0
// CHECK-LABEL: define {{.*}} @look_at(
// CHECK: call i32 @thalweg_crossing_fstat(
// CHECK-NOT: thalweg_crossing_fstat_into
// CHECK: decision 1 applied
#include "file.h"
#include <stdlib.h>
int main(int count, char **names) {
    char buffer[1000];
    struct stat status;
    const int file = open_file(names[count - 1]);
    look_at(file, &status);
    look_at(file, (struct stat *)strtoul(names[0], NULL, 0));
    return (int)read_some(file, buffer, sizeof buffer);
}
