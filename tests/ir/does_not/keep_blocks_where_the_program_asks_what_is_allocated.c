// tests: a program that asks how much is allocated would see the kept block.
// RUN: %optimize %s | %check %s
// PLAN: 1 hoist main/0 main/2
// CHECK-NOT: call {{.*}}@thalweg_crossing
// CHECK: decision 1 refused: the program uses mallinfo2, which would show or change what is kept
#include <malloc.h>
#include <stdlib.h>
#include <unistd.h>
size_t used(void) { return mallinfo2().uordblks; }
int main(int count, char **words) {
    for (int i = 0; i < count; ++i) {
        char *block = malloc(200000);
        if (read(0, block, 200000) < 1)
            return 2;
        free(block);
    }
    return 0;
}
