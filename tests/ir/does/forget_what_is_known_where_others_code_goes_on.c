// tests: a function that others' code may call ends, where it returns to them, the stretch that it began.
// RUN: %optimize %s | %check %s
// PLAN: 1 elide read_some/0 open_file/0 look_at/0
// CHECK-LABEL: define {{.*}} @visit(
// CHECK: call {{.*}}@read_some(
// CHECK: store i32 0, ptr
// CHECK-NEXT: ret i32
#include "file.h"
int walk(int (*visit)(const char *name, void *more));
static char buffer[1000];
OWN int visit(const char *name, void *more) {
    struct stat status;
    const int file = open_file(name);
    look_at(file, &status);
    return (int)read_some(file, buffer, sizeof buffer);
}
int main(void) { return walk(visit); }
