// tests: slots are read ahead only as far as the list goes, up to the last byte that may be read.
// RUN: %run %s | %check %s
// PLAN: 1 merge raise_range/0 = first@a second@b first@b
// PLAN: 2 merge raise_counted/0 = first@a second@b first@b
// CHECK: decision 1
// CHECK: ; the same
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/mman.h>

#include "list.h"
#include "show.h"

int a, b;
static void first(void *context, int argument) { show("first", *(int *)context += argument); }
static void second(void *context, int argument) { show("second", *(int *)context -= argument); }
static void leave(void *context, int argument) {
    show("leave", argument);
    exit(0);
}
__attribute__((noinline)) void raise_range(const struct entry *list, const struct entry *end, int argument) {
    for (; list != end; ++list)
        list->function(list->context, argument);
}
__attribute__((noinline)) void raise_counted(const struct entry *list, long count, int argument) {
    for (long i = 0; i < count; ++i)
        list[i].function(list[i].context, argument);
}
int main(void) {
    char *page = mmap(0, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mprotect(page + 4096, 4096, PROT_NONE);
    const struct entry all[3] = {{first, &a}, {second, &b}, {first, &b}};
    for (int length = 0; length <= 3; ++length) {
        struct entry *end = (struct entry *)(page + 4096), *list = end - length;
        for (int i = 0; i < length; ++i)
            list[i] = all[i];
        raise_range(list, end, 5);
        raise_counted(list, length, 7);
    }
    struct entry *last = (struct entry *)(page + 4096) - 1;
    last->function = leave;
    raise_counted(last, 3, 9);
}
