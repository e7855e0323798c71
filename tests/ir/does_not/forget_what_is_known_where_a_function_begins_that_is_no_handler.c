// tests: a function of a table that is no handler's by its type forgets nothing, where all that is registered is seen.
// RUN: %optimize %s | %check %s
// PLAN: 1 elide read_some/0 open_file/0 look_at/0
// FLAGS: -D_GNU_SOURCE
// CHECK-LABEL: define {{.*}} @handle(
// CHECK: store i32 0, ptr
// CHECK-NEXT: store i1 true, ptr @told
// CHECK-LABEL: define {{.*}} @search(
// CHECK-NOT: store i32 0
// CHECK: ret i64
#include "file.h"
#include <signal.h>
static int told;
OWN static void handle(int signal) { told = 1; }
OWN static long search(const char *bytes, long size) { return bytes[size / 2]; }
static long (*const methods[])(const char *, long) = {search, NULL};
int main(int arguments, char **names) {
    struct sigaction action = {.sa_handler = handle, .sa_flags = SA_RESTART}, old;
    sigemptyset(&action.sa_mask);
    sigaction(SIGUSR1, &action, &old);
    signal(SIGUSR2, SIG_IGN);
    char buffer[1000];
    struct stat status;
    const int file = open_file(names[arguments - 1]);
    look_at(file, &status);
    const long found = methods[arguments & 1](buffer, read_some(file, buffer, sizeof buffer));
    sigaction(SIGUSR1, &old, NULL);
    return told + (int)found + (int)read_some(file, buffer, sizeof buffer);
}
