// tests: blocks of many sizes, asked for and given back by three pairs of calls in changing order: all hold what was written to them.
// RUN: %run %s | %check %s
// PLAN: 1 hoist ask/0 give_back/0
// PLAN: 2 hoist ask_aligned/0 give_back_aligned/0
// PLAN: 3 hoist ask_posix/0 give_back_posix/0
// CHECK: decision 1 applied
// CHECK: decision 2 applied
// CHECK: decision 3 applied
// CHECK: ; the same
#define _GNU_SOURCE
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define OWN __attribute__((noinline)) static
OWN void *ask(size_t size) { return malloc(size); }
// A multiple of the alignment, as C has it: AddressSanitizer, where the test runs under it, holds a program to that.
OWN void *ask_aligned(size_t size) { return aligned_alloc(8192, (size + 8191) / 8192 * 8192); }
extern void __asan_init(void) __attribute__((weak));
OWN void *ask_posix(size_t size, size_t alignment, int *status) {
    void *block = NULL;
    *status = posix_memalign(&block, alignment, size);
    return block;
}
OWN void give_back(void *block) { free(block); }
OWN void give_back_aligned(void *block) { free(block); }
OWN void give_back_posix(void *block) { free(block); }

static void (*const returns[])(void *) = {give_back, give_back_aligned, give_back_posix};
static uint32_t state = 12345;
static uint32_t random_number(void) { return state = state * 1664525 + 1013904223; }

int main(void) {
    struct {
        unsigned char *block;
        size_t size;
    } held[5] = {{0}};
    uint32_t sum = 0;
    for (int i = 0; i < 3000; ++i) {
        const uint32_t at = (random_number() >> 8) % 5;
        if (held[at].block) {
            for (size_t k = 0; k < held[at].size; k += 511)
                sum = sum * 31 + held[at].block[k];
            returns[(random_number() >> 8) % 3](held[at].block);
            held[at].block = NULL;
            continue;
        }
        const size_t size =
            (random_number() >> 8) % 9 ? 8192 * (1 + (random_number() >> 8) % 60) : (random_number() >> 8) % 3000;
        const uint32_t way = (random_number() >> 8) % 3;
        int status = 0;
        errno = 77;
        unsigned char *block = way == 0 ? ask(size) : way == 1 ? ask_aligned(size) : ask_posix(size, 64, &status);
        if (way == 1 && (uintptr_t)block % 8192)
            puts("not aligned");
        memset(block, (int)(random_number() >> 8), size);
        held[at].block = block;
        held[at].size = size;
        sum = sum * 31 + (uint32_t)(status + errno);
    }
    for (int i = 0; i < 5; ++i)
        give_back(held[i].block);
    // What can't be is refused as ever, though a block is kept.
    int status = 0;
    give_back_posix(malloc(300000));
    const void *none = __asan_init ? NULL : ask_posix(300000, 4, &status);
    printf("%u %d %d\n", sum, none == NULL, __asan_init || status == EINVAL);
    return 0;
}
