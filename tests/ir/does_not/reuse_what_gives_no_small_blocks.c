// tests: a function that gives no small blocks has no list.
// RUN: %optimize %s --passes thalweg,thalweg-late | %check %s
// PLAN: 1 reuse getpid/0
// CHECK-NOT: @thalweg.getpid
// CHECK: decision 1 refused: getpid is not declared as the function of the C library that gives or takes blocks
#include <stdlib.h>
#include <unistd.h>
int main(int count, char **words) {
    void *block = malloc((size_t)count);
    if (write(1, block, 0) != 0)
        return 1;
    free(block);
    return getpid() == 1;
}
