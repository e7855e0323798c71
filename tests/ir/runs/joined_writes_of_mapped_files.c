// tests: what is written is read back at once from memory that the file is mapped to, shared or private, and goes into the next write.
// RUN: %run %s | FileCheck-19 %s
// PLAN: 1 coalesce put_shown/0 put_shown/1
// FLAGS: -D_GNU_SOURCE
// CHECK: decision 1 applied: 2 calls of write become one in put_shown where the file is an ordinary one
// CHECK: the same
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

__attribute__((noinline)) long put_shown(int file, const char *shown) {
    char bytes[4] = {'n', 'e', shown[0] ? 'w' : 'W'};
    if (write(file, bytes, 3) != 3)
        return -1;
    bytes[0] = shown[0];
    bytes[1] = shown[1];
    return write(file, bytes, 2);
}

static void try(const char *what, int flags) {
    char path[] = "joined_writes.XXXXXX";
    const int file = mkstemp(path);
    if (file < 0 || ftruncate(file, 4096) != 0)
        exit(2);
    const char *shown = mmap(NULL, 4096, PROT_READ, flags, flags & MAP_ANONYMOUS ? -1 : file, 0);
    if (shown == MAP_FAILED)
        exit(3);
    const long result = put_shown(file, shown);
    char all[6] = "";
    printf("%s: %ld, %ld bytes: %s\n", what, result, (long)pread(file, all, 5, 0), all);
    unlink(path);
}

int main(void) {
    try("none", MAP_PRIVATE | MAP_ANONYMOUS);
    try("private", MAP_PRIVATE);
    try("shared", MAP_SHARED);
    return 0;
}
