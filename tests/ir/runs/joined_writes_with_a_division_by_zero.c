// tests: a division by a zero that is seen only when functions are unfolded still ends the program where it did.
// RUN: %run %s | FileCheck-19 %s
// PLAN: 1 coalesce put/1 put/0 put/1
// FLAGS: -D_GNU_SOURCE
// CHECK: decision 1 applied: {{[0-9]+}} calls of write become one in main
// CHECK: the same
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static int file;
static void tell(int number) {
    printf("signal %d, at %ld\n", number, (long)lseek(file, 0, SEEK_CUR));
    fflush(stdout);
    _exit(0);
}
__attribute__((noinline)) static int put(int to, const int *parts, int kind) {
    char head[8] = "head";
    head[4] = (char)('a' + kind);
    if (write(to, head, 8) != 8)
        return -1;
    const int size = 60 / *parts;
    return write(to, "0123456789012345678901234567890123456789", (size_t)size) == size ? 0 : -1;
}
int main(void) {
    char path[] = "joined_writes.XXXXXX";
    const int to = mkstemp(path);
    unlink(path);
    file = dup(to);
    signal(SIGFPE, tell);
    int parts = 5;
    const int none = 0;
    for (int i = 0; i < 4; ++i)
        if (put(to, &parts, i % 3))
            return 1;
    put(to, &none, 7);
    return 3;
}
