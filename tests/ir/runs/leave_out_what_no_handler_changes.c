// tests: a handler with a second argument, as BSD had them, comes between two reads of a file and appends to it: the second finds that.
// RUN: %run %s | FileCheck-19 %s
// PLAN: 1 elide read_some/0 open_file/0 look_at/0
// FLAGS: -D_GNU_SOURCE -Wno-cast-function-type
// CHECK: decision 1 applied
// CHECK: the same
#include "file.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
enum { PAGE = 4096 };
static char *page;
static int out;
OWN void append(int number, int code) {
    if (number != SIGSEGV || code == number || write(out, "more", 4) != 4 || mprotect(page, PAGE, PROT_READ) != 0)
        _exit(9);
}
// That the page can't be read calls the handler, in the middle of what would be a region without observable effects.
OWN long read_twice(const char *path, int fault) {
    char bytes[100];
    struct stat status;
    const int file = open_file(path);
    if (look_at(file, &status) != 0)
        return -1;
    long all = read_some(file, bytes, sizeof bytes);
    if (fault)
        all += *page;
    all += 100 * read_some(file, bytes, sizeof bytes);
    close(file);
    return all;
}
int main(void) {
    char path[] = "read_twice.XXXXXX";
    out = mkstemp(path);
    page = mmap(NULL, PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (out < 0 || page == MAP_FAILED || write(out, "some bytes", 10) != 10)
        return 2;
    signal(SIGSEGV, (void (*)(int))append);
    for (int round = 0; round < 3; ++round)
        printf("%ld\n", read_twice(path, 0));
    printf("%ld\n", read_twice(path, 1));
    unlink(path);
    return 0;
}
