// tests: realloc gives memory that holds something: what was in the block before.
// RUN: %optimize %s | %check %s
// PLAN: 1 hoist main/0 main/2
// CHECK-NOT: call {{.*}}@thalweg_crossing
// CHECK: decision 1 refused: realloc gives memory of which the program may know what it holds: malloc, aligned_alloc and posix_memalign are known
#include <stdlib.h>
#include <unistd.h>
int main(int count, char **words) {
    for (int i = 0; i < count; ++i) {
        char *block = realloc(words[0], 200000);
        if (read(0, block, 200000) < 1)
            return 2;
        free(block);
    }
    return 0;
}
