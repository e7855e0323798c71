// abi: numbers that are no descriptors are found out together, where a loop would ask for each of them.
#pragma once

#include <stdint.h>
#include <thalweg/abi.h>

// What a loop over numbers of descriptors knows of them (decision `elide`). The plug-in makes one for each such loop, filled with zeros whenever
// the loop begins.
struct thalweg_crossing_numbers {
    int32_t from;  // these, up to `until`, are none
    int32_t until;
    uint32_t misses;  // in vain, since the last time that all were asked for
    uint32_t in_vain;  // so often it was not worth asking for all
    uint32_t pays;  // the last time it was
};

extern "C" {

// Whether the number is no descriptor: a call that acts on one gives -1 then, and errno is EBADF.
bool thalweg_crossing_is_absent(thalweg_crossing_numbers *numbers, int number);
// After such a call was made, and gave `result`. errno stays as it is.
void thalweg_crossing_was_made(thalweg_crossing_numbers *numbers, int number, int result);

}  // extern "C"
