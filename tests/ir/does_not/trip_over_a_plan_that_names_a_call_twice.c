// tests: a plan may say anything.
// RUN: %optimize %s | %check %s
// PLAN: 1 elide read_some/0 open_file/0 open_file/0 read_some/0 main/0 look_at/0
// PLAN: 2 elide read_some/0 look_at/0 open_file/0
// CHECK-COUNT-1: call i64 @thalweg_crossing_read(
// CHECK-NOT: call {{.*}}@thalweg_crossing_read
// CHECK: decision 1 applied
// CHECK: decision 2 applied
#include "file.h"
int main(int arguments, char **names) {
    char buffer[1000];
    struct stat status;
    const int file = open_file(names[arguments - 1]);
    look_at(file, &status);
    const ssize_t size = read_some(file, buffer, sizeof buffer);
    close(file);
    return (int)size;
}
