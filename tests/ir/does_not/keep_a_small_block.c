// tests: the C library keeps small blocks itself; only the size of large ones is worth a test.
// RUN: %optimize %s | %check %s
// PLAN: 1 hoist main/0 main/2
// CHECK-NOT: call {{.*}}@thalweg_crossing
// CHECK: decision 1 refused: the block has 1000 bytes: the kernel is asked for blocks of 128 KiB or more only
#include <stdlib.h>
#include <unistd.h>
int main(int count, char **words) {
    for (int i = 0; i < count; ++i) {
        char *block = malloc(1000);
        if (read(0, block, 1000) < 1)
            return 2;
        free(block);
    }
    return 0;
}
