// tests: a function that is declared otherwise than the C library's of that name is another, and may close what it likes.
// RUN: %optimize %s | %check %s
// PLAN: 1 coalesce put/0 put/1
// CHECK-LABEL: define {{.*}} @of_another(
// CHECK: atomicrmw
// CHECK-LABEL: define {{.*}} @of_the_library(
// CHECK-NOT: atomicrmw
// CHECK: ret
#include "put_parts.h"
double remove(double, double);
int rmdir(const char *path);
double of_another(double number) { return remove(number, number); }
int of_the_library(const char *path) { return rmdir(path); }
int main(int argc, char **argv) { return put(argc, argv[0], 8, 0); }
