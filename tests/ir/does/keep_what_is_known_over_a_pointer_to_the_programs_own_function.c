// tests: a call through a pointer ends a stretch where its target is none of the program's, which is asked when it is called.
// RUN: %optimize %s | %check %s
// PLAN: 1 elide read_some/0 open_file/0 look_at/0
// CHECK-LABEL: define {{.*}} @main(
// CHECK: icmp eq ptr [[TARGET:%.*]], @first
// CHECK: icmp eq ptr [[TARGET]], @second
// CHECK: br i1 {{.*}}, label %[[FORGET:[^ ,]+]], label %[[ON:[^ ,]+]]
// CHECK: {{^}}[[FORGET]]:
// CHECK-NOT: load
// CHECK: store i32 0, ptr
// CHECK: {{^}}[[ON]]:
// CHECK-NOT: store
// CHECK: call i64 [[TARGET]](
// CHECK: store i32 0, ptr
// CHECK-NEXT: call ptr {{%.*}}(
#include "file.h"
OWN long first(const char *bytes) { return bytes[0]; }
OWN long second(const char *bytes) { return bytes[1]; }
long (*way)(const char *) = first;
void *(*other)(int, int);
int main(int arguments, char **names) {
    if (arguments > 5)
        way = second;
    char buffer[1000];
    struct stat status;
    const int file = open_file(names[arguments - 1]);
    look_at(file, &status);
    long sum = 0;
    while (read_some(file, buffer, sizeof buffer) > 0)
        sum += way(buffer);
    read_some(file, buffer, sizeof buffer);
    return (int)sum + (other(1, 2) != NULL);
}
