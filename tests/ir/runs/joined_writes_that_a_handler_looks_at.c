// tests: a signal's handler that comes at the first write finds a local variable, whose address it has, as it was in front of that.
// RUN: %run %s | FileCheck-19 %s
// PLAN: 1 coalesce put_counted/0 put_counted/1
// FLAGS: -D_GNU_SOURCE
// CHECK: the same
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

static size_t *progress;
static size_t seen = 100;
static void look(int number) { seen = number ? *progress : 0; }

__attribute__((noinline)) long put_counted(int file, const char *bytes) {
    size_t done = 0;
    progress = &done;
    if (write(file, bytes, 3) != 3)
        return -1;
    done += 3;
    if (write(file, bytes + 3, 3) != 3)
        return -2;
    done += 3;
    getpid();
    return (long)done;
}

int main(void) {
    char path[] = "joined_writes.XXXXXX";
    const int file = mkstemp(path);
    if (file < 0)
        return 2;
    signal(SIGXFSZ, look);
    const struct rlimit limit = {5, RLIM_INFINITY};
    setrlimit(RLIMIT_FSIZE, &limit);
    for (off_t at = 5; at > 0; --at) {
        lseek(file, at, SEEK_SET);
        printf("%ld, seen %zu\n", put_counted(file, "counted"), seen);
    }
    const struct rlimit none = {RLIM_INFINITY, RLIM_INFINITY};
    setrlimit(RLIMIT_FSIZE, &none);
    printf("%zu\n", seen);
    unlink(path);
    return 0;
}
