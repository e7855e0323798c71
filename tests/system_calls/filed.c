// tests: reads, copies and writes files of any file system: what is left out or done at once there is what the file system promises.
// PLAN: 1 elide read_all/2 read_all/0 read_all/1
// PLAN: 2 fuse copy/2 copy/3
// PLAN: 3 coalesce put/0 put/1
// usage: filed read FILE [wait] | filed copy FROM TO | filed put FILE
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// The number of bytes; -1: it can't be read.
__attribute__((noinline)) static long read_all(const char *name) {
    static char bytes[65536];
    struct stat status;
    const int file = open(name, O_RDONLY);
    if (file < 0 || fstat(file, &status) != 0)
        return -1;
    long all = 0;
    for (ssize_t got; (got = read(file, bytes, sizeof bytes)) > 0;)
        all += got;
    close(file);
    return all;
}

__attribute__((noinline)) static int copy(const char *from, const char *to) {
    static char block[5000];
    const int source = open(from, O_RDONLY);
    const int target = open(to, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (source < 0 || target < 0)
        return -1;
    ssize_t got;
    while ((got = read(source, block, sizeof block)) > 0)
        for (ssize_t done = 0, now; done < got; done += now)
            if ((now = write(target, block + done, (size_t)(got - done))) < 0)
                return -2;
    close(source);
    return close(target);
}

__attribute__((noinline)) static long put(int to, const char *body, size_t size) {
    if (write(to, "head", 4) != 4)
        return -1;
    return write(to, body, size);
}

// Meanwhile another file system may be mounted in the place of the file's.
static void read_before_and_after(const char *name, int waits) {
    struct stat before = {0}, after = {0};
    long sum = 0;
    for (int i = 0; i < 50; ++i)
        sum += read_all(name);
    stat(name, &before);
    if (waits) {
        puts("ready");
        fflush(stdout);
        getchar();
    }
    stat(name, &after);
    printf("%ld, then %ld, of %s device\n", sum, read_all(name),
           before.st_dev == after.st_dev ? "the same" : "another");
}

int main(int argc, char **argv) {
    if (argc < 3)
        return 0;
    if (strcmp(argv[1], "read") == 0)
        read_before_and_after(argv[2], argc > 3);
    if (strcmp(argv[1], "copy") == 0) {
        const int result = copy(argv[2], argv[argc - 1]);
        printf("%d: %s\n", result, result == 0 ? "copied" : strerror(errno));
    }
    if (strcmp(argv[1], "put") == 0) {
        const int file = open(argv[2], O_WRONLY | O_CREAT | O_TRUNC, 0666);
        for (int i = 0; i < 100; ++i)
            if (put(file, "body", (size_t)(argc - 1)) != argc - 1)
                return 1;
    }
    return 0;
}
