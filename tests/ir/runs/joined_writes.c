// tests: writes that become one do what they did: on files of all kinds, at every limit, with parts that don't fit together.
// RUN: %run %s | FileCheck-19 %s
// PLAN: 1 coalesce put/0 put/1 put/2
// PLAN: 2 coalesce add/0 add/1
// FLAGS: -D_GNU_SOURCE
// CHECK: decision 1 applied: 3 calls of pwrite become one in {{[a-z]+}} where the file is an ordinary one
// CHECK: decision 2 applied: 2 calls of write become one in {{[a-z]+}} where the file is an ordinary one
// CHECK: the same
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
static int signals;
static void count_signal(int number) { signals += number != 0; }

// The header's second use shows whether what is written after the first call was put back.
__attribute__((noinline)) long put(int file, int second, const char *body, size_t size, off_t offset, off_t gap) {
    char header[4] = {(char)size, 2, 3, 4};
    ssize_t got = pwrite(file, header, sizeof header, offset);
    if (got != sizeof header)
        return 100000 + 1000 * got + header[0];
    header[0] = 'e';
    got = pwrite(second, body, size, offset + 4);
    if (got != (ssize_t)size)
        return 200000 + 1000 * got + header[0];
    header[1] = 'f';
    got = pwrite(file, header, sizeof header, offset + 4 + (off_t)size + gap);
    return 300000 + 1000 * got + header[0] + header[1];
}

__attribute__((noinline)) long add(int file, const char *body, size_t size) {
    const ssize_t got = write(file, "head", 4);
    if (got != 4)
        return 100 + got;
    return 200 + write(file, body, size);
}

static void show(const char *what, int file, long result) {
    const int error = errno;
    unsigned char bytes[400];
    const long all = pread(file, bytes, sizeof bytes, 0);
    unsigned sum = 0;
    for (long i = 0; i < all; ++i)
        sum = sum * 31 + bytes[i];
    printf("%s: %ld, errno %d, %d signals, %ld bytes of sum %u, at %ld\n", what, result, error, signals, all, sum,
           (long)lseek(file, 0, SEEK_CUR));
    errno = 0;
}

static int fresh(const char *path, int flags) {
    unlink(path);
    return open(path, O_RDWR | O_CREAT | O_TRUNC | flags, 0600);
}

static void limits(const char *path, const char *body, size_t size) {
    for (unsigned limit = 0; limit < 40; ++limit) {
        const struct rlimit now = {limit, RLIM_INFINITY};
        const int file = fresh(path, 0);
        for (int i = 0; i < 40; ++i) {  // past those that are left alone
            put(file, file, body, 1, 0, 0);
            add(file, body, 1);
        }
        lseek(file, 0, SEEK_SET);
        if (ftruncate(file, 0) != 0)
            exit(3);
        setrlimit(RLIMIT_FSIZE, &now);
        const long result = put(file, file, body, size, 3, 0);
        const int error = errno;
        const long added = add(file, body, size);
        const struct rlimit none = {RLIM_INFINITY, RLIM_INFINITY};
        setrlimit(RLIMIT_FSIZE, &none);
        errno = error;
        show("limit", file, result * 1000 + added);
        close(file);
    }
}

static void kinds(const char *path, const char *body, size_t size) {
    static const int flags[] = {0, O_APPEND, O_SYNC, O_DSYNC};
    for (unsigned i = 0; i < sizeof flags / sizeof *flags; ++i) {
        const int file = fresh(path, flags[i]);
        for (int round = 0; round < 3; ++round) {
            show("put", file, put(file, file, body, size, round * 7, 0));
            show("put with a gap", file, put(file, file, body, size, round * 7, 1));
            show("add", file, add(file, body, size));
        }
        for (int round = 0; round < 40; ++round)
            show("nothing", file, put(file, file, body, 0, 0, 0));
        show("before the beginning", file, put(file, file, body, size, -1, 0));
        show("no memory", file, put(file, file, NULL, size, 0, 0));
        show("no such memory", file, put(file, file, (char *)16, size, 0, 0));
        close(file);
        show("closed", file, put(file, file, body, size, 0, 0));
    }
}

static void others(const char *path, const char *body, size_t size) {
    const int file = fresh(path, 0);
    const int second = open("/dev/null", O_RDWR);
    const int reader = open(path, O_RDONLY);
    int ends[2];
    if (pipe(ends) != 0)
        exit(3);
    for (int i = 0; i < 70; ++i) {
        show("two files", file, put(file, second, body, size, 0, 0));
        show("a device", second, put(second, second, body, size, 0, 0));
        show("read only", reader, put(reader, reader, body, size, 0, 0));
        show("a pipe", ends[1], put(ends[1], ends[1], body, size, 0, 0));
        printf("%ld\n", add(ends[1], body, size));
        show("a file", file, add(file, body, size));
    }
    char bytes[100];
    printf("%ld\n", (long)read(ends[0], bytes, sizeof bytes));
}

int main(void) {
    char path[] = "joined_writes.XXXXXX";
    if (mkstemp(path) < 0)
        return 2;
    signal(SIGXFSZ, count_signal);
    const char body[] = "a body of some bytes";
    limits(path, body, sizeof body - 1);
    kinds(path, body, sizeof body - 1);
    others(path, body, sizeof body - 1);
    unlink(path);
    return 0;
}
