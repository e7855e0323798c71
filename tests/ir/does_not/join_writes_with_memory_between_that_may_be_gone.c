// tests: what is called before the first write may take back the memory that was read before it.
// RUN: %optimize %s | %check %s
// PLAN: 1 coalesce put/0 put/1
// CHECK-NOT: thalweg_crossing
// CHECK: decision 1 refused: between the calls, memory is accessed that nothing shows to be accessible: a fault there would lose the first write
#include <unistd.h>
void report(void);
long put(int file, const long *size) {
    const long kind = *size;
    report();
    if (write(file, "head", (size_t)kind) != kind)
        return -1;
    return write(file, "body", (size_t)*size);
}
