// tests: what a handler notes in plain memory is news; so is what it jumps to.
// RUN: %optimize %s | %check %s
// PLAN: 1 elide read_some/0 open_file/0 look_at/0
// CHECK-LABEL: define {{.*}} @main(
// CHECK: call i32 @_setjmp(
// CHECK-NEXT: call {{.*}}@llvm.threadlocal.address
// CHECK-NEXT: store i32 0, ptr
// CHECK-LABEL: define {{.*}} @handle(
// CHECK: store i32 0, ptr
// CHECK-NEXT: store i1 true, ptr @told
#include "file.h"
#include <setjmp.h>
#include <signal.h>
static int told;
static jmp_buf place;
OWN void handle(int signal) { told = 1; }
int main(int arguments, char **names) {
    signal(SIGUSR1, handle);
    char buffer[1000];
    struct stat status;
    const int file = open_file(names[arguments - 1]);
    look_at(file, &status);
    if (setjmp(place) == 0)
        read_some(file, buffer, sizeof buffer);
    return told + (int)read_some(file, buffer, sizeof buffer);
}
