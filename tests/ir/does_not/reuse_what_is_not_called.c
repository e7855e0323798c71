// tests: what the program does not call has nothing to keep.
// RUN: %optimize %s --passes thalweg,thalweg-late | %check %s
// PLAN: 1 reuse realloc/0
// CHECK-NOT: @thalweg.realloc
// CHECK: decision 1 refused: the program calls no realloc
#include <stdlib.h>
#include <unistd.h>
int main(int count, char **words) {
    void *block = malloc((size_t)count);
    if (write(1, block, 0) != 0)
        return 1;
    free(block);
    return 0;
}
