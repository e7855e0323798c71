// tests: a sanitizer would not see who uses a block that was given back.
// RUN: %optimize %s | %check %s
// PLAN: 1 hoist main/0 main/2
// CHECK-NOT: call {{.*}}@thalweg_crossing
// CHECK: decision 1 refused: a sanitizer watches the program's memory
// FLAGS: -fsanitize=address
#include <stdlib.h>
#include <unistd.h>
int main(int count, char **words) {
    for (int i = 0; i < count; ++i) {
        char *block = malloc(200000);
        if (read(0, block, 200000) < 1)
            return 2;
        free(block);
    }
    return 0;
}
