// tests: what a program does to the pages of a block doesn't come back with the next one.
// RUN: %run %s | FileCheck-19 %s
// PLAN: 1 hoist work/0 work/1
// CHECK: decision 1 refused: the program uses mprotect, with which
// CHECK: the same
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
__attribute__((noinline)) int work(size_t size, int guard) {
    char *block = aligned_alloc(4096, size);
    if (!block)
        return -1;
    memset(block, guard, size);
    int result = block[size / 2];
    // The second page: in the first one AddressSanitizer's free keeps its own account.
    if (guard == 1 && mprotect(block + 4096, 4096, PROT_NONE) != 0)
        result = -2;
    free(block);
    return result;
}
int main(void) {
    for (int i = 0; i < 3; ++i)
        printf("%d\n", work(200 * 4096, i)), fflush(stdout);
    return 0;
}
