// tests: an iteration that makes an array of computed size stays as it is.
// RUN: %optimize %s | %check %s
// PLAN: 1 merge raise_all/0 = first first
#include "list.h"

void first(void *context, int argument);
void use(int *array);
const void *handlers[] = {(const void *)first};

// CHECK-LABEL: define {{.*}}void @raise_all(
// CHECK-NOT: call void @first(
// CHECK: {{^}}}
// CHECK: decision 1 refused: its iterations make variables on the stack whose size is computed
__attribute__((noinline)) void raise_all(const struct entry *list, long count, int argument) {
    for (long i = 0; i < count; ++i) {
        int array[argument];
        use(array);
        list[i].function(list[i].context, array[0]);
    }
}
