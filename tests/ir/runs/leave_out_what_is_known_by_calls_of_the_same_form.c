// tests: what a program reads of a file that grows between two reads is the same where the calls between forget in functions of their own.
// RUN: %run --passes thalweg-link-O2 %s | %check %s
// PLAN: 1 elide read_some/0 open_file/0 look_at/0
// CHECK: decision 1 applied
// CHECK: ; the same
#include "file.h"
#include <stdio.h>
#include <stdlib.h>
static char name[] = "/dev/shm/thalweg-grows-XXXXXX";
OWN ssize_t at_end(int file) {
    char buffer[1000];
    struct stat status;
    look_at(file, &status);
    return read_some(file, buffer, sizeof buffer);
}
int main(void) {
    char buffer[1000];
    const int written = mkstemp(name);
    if (written < 0 || write(written, "some bytes", 10) != 10)
        return 1;
    const int file = open_file(name);
    const ssize_t first = at_end(file);
    if (write(written, " more", 5) != 5)
        return 2;
    const ssize_t second = read_some(file, buffer, sizeof buffer);
    printf("%zd %zd\n", first, second);
    close(file);
    unlink(name);
    return 0;
}
