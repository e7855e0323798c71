// tests: a program's own malloc may count its blocks, and promise what it likes.
// RUN: %optimize %s | %check %s
// PLAN: 1 hoist main/0 main/2
// CHECK-NOT: call {{.*}}@thalweg_crossing
// CHECK: decision 1 refused: the program has a malloc of its own
#include <stdlib.h>
#include <unistd.h>
static char room[1 << 20];
static size_t used;
void *malloc(size_t size) { return room + (used += size); }
int main(int count, char **words) {
    for (int i = 0; i < count; ++i) {
        char *block = aligned_alloc(64, 200000);
        if (read(0, block, 200000) < 1)
            return 2;
        free(block);
    }
    return malloc(1) == room;
}
