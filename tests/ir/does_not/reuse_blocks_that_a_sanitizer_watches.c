// tests: a sanitizer would not see who uses a block that was given back.
// RUN: %optimize %s --passes thalweg,thalweg-late | %check %s
// PLAN: 1 reuse malloc/0
// CHECK-NOT: @thalweg.malloc
// CHECK: decision 1 refused: a sanitizer watches the program's memory
// FLAGS: -fsanitize=address
#include <stdlib.h>
#include <unistd.h>
int main(int count, char **words) {
    void *block = malloc((size_t)count);
    if (write(1, block, 0) != 0)
        return 1;
    free(block);
    return 0;
}
