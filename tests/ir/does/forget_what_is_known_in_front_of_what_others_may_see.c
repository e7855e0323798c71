// tests: in front of an unknown function, a system call, assembler, a volatile and an atomic access nothing is known any more.
// RUN: %optimize %s | %check %s
// PLAN: 1 elide read_some/0 open_file/0 look_at/0
// CHECK-LABEL: define {{.*}} @all(
// CHECK: store i32 0, ptr
// CHECK-NEXT: call void @unknown()
// CHECK: call {{.*}}@read_some(
// CHECK: store i32 0, ptr
// CHECK-NEXT: call i32 @unlink(
// CHECK: call {{.*}}@read_some(
// CHECK: store i32 0, ptr
// CHECK-NEXT: call void asm
// CHECK: call {{.*}}@read_some(
// CHECK: store i32 0, ptr
// CHECK-NEXT: load volatile
// CHECK: call {{.*}}@read_some(
// CHECK: store i32 0, ptr
// CHECK-NEXT: load atomic
// CHECK: call {{.*}}@read_some(
// CHECK: store i32 0, ptr
// CHECK-NEXT: {{.*}}call {{.*}}@getpid(
#include "file.h"
void unknown(void);
volatile int seen;
_Atomic int shared;
OWN ssize_t begin(const char *name) {
    char buffer[1000];
    struct stat status;
    const int file = open_file(name);
    look_at(file, &status);
    return read_some(file, buffer, sizeof buffer);
}
OWN int all(int count, char **names) {
    int sum = 0;
    char buffer[100];
    sum += begin(names[count - 1]);
    unknown();
    const int file = open_file(names[0]);
    sum += read_some(file, buffer, sizeof buffer);
    unlink("it");
    const int second = open_file(names[0]);
    sum += read_some(second, buffer, sizeof buffer);
    __asm__("nop");
    const int third = open_file(names[0]);
    sum += read_some(third, buffer, sizeof buffer);
    sum += seen;
    const int fourth = open_file(names[0]);
    sum += read_some(fourth, buffer, sizeof buffer);
    sum += shared;
    const int fifth = open_file(names[0]);
    sum += read_some(fifth, buffer, sizeof buffer);
    sum += getpid();
    return sum;
}
int main(int count, char **names) { return all(count, names); }
