// tests: a call with a landing pad stays.
// RUN: %optimize %s | %check %s
// PLAN: 1 hoist main/0 main/2
// FLAGS: -fno-builtin
// CHECK-NOT: call {{.*}}@thalweg_crossing
// CHECK: decision 1 refused: malloc is called where exceptions are caught
#include <stddef.h>
extern "C" void *malloc(size_t size);  // not noexcept, as <cstdlib> has it
extern "C" void free(void *block);
extern "C" long read(int descriptor, void *block, size_t size);
int main(int count, char **) {
    try {
        for (int i = 0; i < count; ++i) {
            void *block = malloc(200000);
            if (read(0, block, 200000) < 1)
                return 2;
            free(block);
        }
    } catch (int) {
        return 3;
    }
    return 0;
}
