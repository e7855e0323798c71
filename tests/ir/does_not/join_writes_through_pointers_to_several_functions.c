// tests: where the pointer may lead to two functions that write, neither is unfolded.
// RUN: %optimize %s | %check %s
// PLAN: 1 coalesce write_file/0 write_file/0
// CHECK-LABEL: define {{.*}} @put_page(
// CHECK-NOT: thalweg_crossing
// CHECK: decision 1 refused: between the calls, memory is written that others may see
#define OF_WRITE_FILE __attribute__((noinline))
#include "file_methods.h"
void report(void);
static int write_and_tell(struct file *file, void *bytes, int size, off_t offset) {
    report();
    return write_file(file, bytes, size, offset);
}
const struct methods telling = {1, read_file, write_and_tell};
const struct methods *the_methods(int which) { return &all_methods[which]; }
