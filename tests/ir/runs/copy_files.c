// tests: files of many sizes are copied by four loops, from several offsets, to new and to longer files: contents, offsets, sums and errno are
// the same.
// RUN: %run %s | %check %s
// PLAN: 1 fuse plain/4 plain/5
// PLAN: 2 fuse checked/4 checked/5
// PLAN: 3 fuse summed/4 summed/5
// PLAN: 4 fuse patient/5 patient/6
// CHECK: decision 1 applied
// CHECK: decision 2 applied
// CHECK: decision 3 applied
// CHECK: decision 4 applied
// CHECK: ; the same
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#define OWN __attribute__((noinline)) static
static int flags = O_WRONLY;
static off_t from_at, to_at;

static long told(int from, int to, long result) {
    printf("%ld: %ld %ld errno %d", result, (long)lseek(from, 0, SEEK_CUR), (long)lseek(to, 0, SEEK_CUR), errno);
    close(from);
    close(to);
    return result;
}
OWN long plain(const char *a, const char *b) {
    char block[4096];
    const int from = open(a, O_RDONLY), to = open(b, flags);
    lseek(from, from_at, SEEK_SET);
    lseek(to, to_at, SEEK_SET);
    errno = 77;
    int n;
    while ((n = read(from, block, sizeof block)) > 0)
        write(to, block, n);
    return told(from, to, n);
}
OWN long checked(const char *a, const char *b) {
    static char block[1000];
    const int from = open(a, O_RDONLY), to = open(b, flags);
    lseek(from, from_at, SEEK_SET);
    lseek(to, to_at, SEEK_SET);
    errno = 77;
    ssize_t n;
    while ((n = read(from, block, sizeof block)) > 0)
        if (write(to, block, (size_t)n) != n)
            return told(from, to, -5);
    return told(from, to, n);
}
OWN long summed(const char *a, const char *b) {
    char block[8192];
    const int from = open(a, O_RDONLY), to = open(b, flags);
    lseek(from, from_at, SEEK_SET);
    lseek(to, to_at, SEEK_SET);
    errno = 77;
    long sum = 0;
    ssize_t n;
    do {
        n = read(from, block, sizeof block);
        if (n < 0 || write(to, block, (size_t)n) != n)
            return told(from, to, -sum);
        sum += n;
    } while (n == sizeof block);
    return told(from, to, sum);
}
OWN long patient(const char *a, const char *b) {
    char *block = malloc(65536);
    const int from = open(a, O_RDONLY), to = open(b, flags);
    lseek(from, from_at, SEEK_SET);
    lseek(to, to_at, SEEK_SET);
    errno = 77;
    for (;;) {
        ssize_t n = read(from, block, 65536);
        if (n == 0)
            break;
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return told(from, to, -7);
        for (char *at = block; n > 0;) {
            const ssize_t written = write(to, at, (size_t)n);
            if (written < 0 && errno == EINTR)
                continue;
            if (written < 0)
                return told(from, to, -8);
            at += written;
            n -= written;
        }
    }
    free(block);
    return told(from, to, 0);
}

static uint32_t state = 4711;
static uint32_t random_number(void) { return (state = state * 1664525 + 1013904223) >> 8; }

static void make(const char *name, size_t size) {
    char *bytes = malloc(size + 1);
    for (size_t i = 0; i < size; ++i)
        bytes[i] = (char)random_number();
    const int to = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (write(to, bytes, size) != (ssize_t)size)
        abort();
    close(to);
    free(bytes);
}
static uint32_t sum_of(const char *name) {
    uint32_t sum = 0;
    FILE *file = fopen(name, "r");
    for (int c; (c = getc(file)) != EOF;)
        sum = sum * 31 + (unsigned char)c;
    printf(" size %ld", ftell(file));
    fclose(file);
    return sum;
}

int main(void) {
    long (*const copies[])(const char *, const char *) = {plain, checked, summed, patient};
    char folder[] = "/tmp/copy-XXXXXX";
    if (!mkdtemp(folder) || chdir(folder))
        return 1;
    for (int i = 0; i < 160; ++i) {
        const uint32_t way = random_number() % 4;
        const size_t size = random_number() % 8 ? random_number() % 2500000 : 4096 * (random_number() % 100);
        make("a", size);
        make("b", random_number() % 3 ? 0 : random_number() % 100000);
        from_at = random_number() % 3 ? 0 : random_number() % 20000;
        to_at = random_number() % 3 ? 0 : random_number() % 20000;
        flags = random_number() % 6 ? O_WRONLY : random_number() % 3 ? O_RDONLY : O_WRONLY | O_APPEND;
        const char *to = random_number() % 9 ? "b" : "a";
        if (to[0] == 'a')
            from_at = to_at = 0, flags = O_WRONLY;  // else it never ends
        if (way == 3 && flags == O_RDONLY)
            flags = O_RDWR;
        printf("%u %zu: ", way, size);
        copies[way]("a", to);
        printf(" sum %u\n", sum_of(to));
    }
    unlink("a");
    unlink("b");
    return rmdir(folder);
}
