// tests: where there is no memory for the buffer, the first read fails: nothing is copied. Where there is, the same loop copies.
// RUN: %run %s | %check %s
// PLAN: 1 fuse copy/3 copy/4
// CHECK: decision 1 applied
// CHECK: ; the same
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

__attribute__((noinline)) static void copy(const char *a, const char *b, size_t size) {
    const int from = open(a, O_RDONLY), to = open(b, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    char *block = malloc(size);
    ssize_t n;
    errno = 77;
    while ((n = read(from, block, 65536)) > 0)
        write(to, block, (size_t)n);
    printf("%zd: errno %d, %ld read, %ld written\n", n, errno, (long)lseek(from, 0, SEEK_CUR),
           (long)lseek(to, 0, SEEK_CUR));
    free(block);
}

int main(void) {
    volatile size_t some = 65536, too_much = SIZE_MAX / 4;
    char folder[] = "/tmp/copy-XXXXXX";
    if (!mkdtemp(folder) || chdir(folder))
        return 1;
    const int from = open("a", O_WRONLY | O_CREAT, 0600);
    if (ftruncate(from, 1000000))
        return 1;
    copy("a", "b", some);
    copy("a", "b", too_much);
    unlink("a");
    unlink("b");
    return rmdir(folder);
}
