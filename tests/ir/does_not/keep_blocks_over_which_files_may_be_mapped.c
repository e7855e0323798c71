// tests: what is mapped in a block's place would be handed out as the next block.
// RUN: %optimize %s | %check %s
// PLAN: 1 hoist main/0 main/2
// CHECK-NOT: call {{.*}}@thalweg_crossing
// CHECK: decision 1 refused: the program uses mmap, with which a block's pages may be set apart
#include <sys/mman.h>

#include "block_in_each_round.h"

void *map(void *where, int file) { return mmap(where, 4096, PROT_READ, MAP_SHARED | MAP_FIXED, file, 0); }
