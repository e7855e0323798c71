// crossing: what an optimised program calls in place of system calls, or before them.
#pragma once

#include <stddef.h>
#include <stdint.h>

// A block of memory that was given back, and is kept for the next request (decision `hoist`). The plug-in makes one for each decision,
// filled with zeros.
struct thalweg_crossing_slot {
    void *block;
    uint32_t may_keep;  // 0: not asked yet
};

extern "C" {

// The kept block where it serves the request; null: the original call is to be made.
void *thalweg_crossing_take(thalweg_crossing_slot *slot, size_t size, size_t alignment);
// In place of free(block): keeps a large block in an empty slot.
void thalweg_crossing_give_back(thalweg_crossing_slot *slot, void *block);

}  // extern "C"
