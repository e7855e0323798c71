// tests: what is mapped where the kernel finds room lies in no block.
// RUN: %optimize %s | %check %s
// PLAN: 1 hoist main/0 main/2
// CHECK: call {{.*}}@thalweg_crossing_take
// CHECK: decision 1 applied
#include <sys/mman.h>

#include "block_in_each_round.h"

void *map(int file) { return mmap(NULL, 4096, PROT_READ, MAP_SHARED, file, 0); }
