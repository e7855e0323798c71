// tests: writes that come together out of methods do what they did, with other methods, other system calls and at every limit too.
// RUN: %run %s | FileCheck-19 %s
// PLAN: 1 coalesce write_file/0 write_file/0
// FLAGS: -D_GNU_SOURCE
// CHECK: decision 1 applied: 3 calls of pwrite become one in put_page where the file is an ordinary one
// CHECK: the same
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "file_methods.h"

static long replaced;
static int signals;
static void count_signal(int number) { signals += number != 0; }
static ssize_t count_instead(int file, const void *bytes, size_t size, off_t offset) {
    replaced += file * offset + (bytes != NULL);
    return (ssize_t)size - (offset == 404);
}

static void show(const char *what, struct file *file, int result) {
    unsigned char bytes[500];
    const long all = pread(file->descriptor, bytes, sizeof bytes, 0);
    unsigned sum = 0;
    for (long i = 0; i < all; ++i)
        sum = sum * 31 + bytes[i];
    printf("%s: %d, errno %d, %d signals, %ld bytes of sum %u, last error %d\n", what, result, errno, signals, all, sum,
           file->last_error);
    errno = 0;
}

int main(void) {
    char path[] = "joined_writes.XXXXXX";
    struct file file = {&all_methods[0], mkstemp(path), 0};
    if (file.descriptor < 0)
        return 2;
    signal(SIGXFSZ, count_signal);
    char page[100];
    memset(page, 'p', sizeof page);
    for (unsigned limit = 0; limit < 120; ++limit) {
        for (int i = 0; i < 40; ++i)
            put_page(&file, 7, page, sizeof page, 0);
        if (ftruncate(file.descriptor, 0) != 0)
            return 3;
        const struct rlimit now = {limit, RLIM_INFINITY};
        const struct rlimit none = {RLIM_INFINITY, RLIM_INFINITY};
        setrlimit(RLIMIT_FSIZE, &now);
        const int result = put_page(&file, limit, page, sizeof page, 3);
        setrlimit(RLIMIT_FSIZE, &none);
        show("limit", &file, result);
    }
    for (int i = 0; i < 40; ++i) {
        file.methods = &all_methods[i % 3 == 2];
        replace_call(i % 5 == 4 ? count_instead : pwrite);
        show("tables", &file, put_page(&file, (unsigned)i, page, sizeof page, i * 10));
    }
    replace_call(pwrite);
    char *mapped = mmap(NULL, 4096, PROT_READ, MAP_SHARED, file.descriptor, 0);
    for (int i = 0; i < 40; ++i)
        printf("%d %d\n", put_page(&file, (unsigned)i, mapped + i, sizeof page, i), mapped[i + 50]);
    unlink(path);
    printf("%ld\n", replaced);
    return 0;
}
