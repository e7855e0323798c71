// tests: memory that was not accessed before the first write may not be there, and a fault between the writes would lose the first.
// RUN: %optimize %s | %check %s
// PLAN: 1 coalesce put/0 put/1
// CHECK-NOT: thalweg_crossing
// CHECK: decision 1 refused: between the calls, memory is accessed that nothing shows to be accessible: a fault there would lose the first write
#include <unistd.h>
struct record {
    long size;
    const char *bytes;
};
long put(int file, const struct record *record) {
    if (write(file, "head", 4) != 4)
        return -1;
    return write(file, record->bytes, (size_t)record->size);
}
