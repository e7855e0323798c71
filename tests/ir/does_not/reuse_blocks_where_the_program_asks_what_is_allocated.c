// tests: what the program asks of the heap would show what is kept.
// RUN: %optimize %s --passes thalweg,thalweg-late | %check %s
// PLAN: 1 reuse malloc/0
// CHECK-NOT: @thalweg.malloc
// CHECK: decision 1 refused: the program uses mallinfo2, which would show or change what is kept
#include <malloc.h>
#include <stdlib.h>
#include <unistd.h>
int main(int count, char **words) {
    void *block = malloc((size_t)count);
    if (write(1, block, 0) != 0)
        return 1;
    free(block);
    return mallinfo2().uordblks != 0;
}
