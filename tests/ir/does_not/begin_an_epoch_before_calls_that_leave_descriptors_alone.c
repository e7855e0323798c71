// tests: what the program calls of its own, of the C library's functions on bytes and streams, and of system calls on open files, begins none.
// RUN: %optimize %s | %check %s
// PLAN: 1 coalesce put/0 put/1
// CHECK-LABEL: define {{.*}} @work(
// CHECK-NOT: atomicrmw
// CHECK-LABEL: define {{.*}} @set_flags(
// CHECK: atomicrmw
#include "put_parts.h"
int fcntl(int file, int command, ...);
int fsync(int file);
int puts(const char *text);
int unlinkat(int folder, const char *path, int flags);
char *strcpy(char *to, const char *from);
static int own(int file) { return fsync(file); }
int work(char *text, const char *from, int file) {
    puts(strcpy(text, from));
    return own(file) + fcntl(file, 3) + unlinkat(file, from, 0);
}
int set_flags(int file, int flags) { return fcntl(file, 4, flags); }
int main(int argc, char **argv) { return put(argc, argv[0], 8, 0); }
