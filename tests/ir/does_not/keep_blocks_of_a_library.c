// tests: a library that is unloaded would lose the block that it keeps.
// RUN: %optimize %s | %check %s
// PLAN: 1 hoist work/0 work/2
// CHECK-NOT: call {{.*}}@thalweg_crossing
// CHECK: decision 1 refused: it is no program
#include <stdlib.h>
#include <unistd.h>
int work(int count) {
    for (int i = 0; i < count; ++i) {
        char *block = malloc(200000);
        if (read(0, block, 200000) < 1)
            return 2;
        free(block);
    }
    return 0;
}
