// tests: what is written by the first call is written over before the second.
// RUN: %optimize %s | %check %s
// PLAN: 1 coalesce put/0 put/1 put/2
// CHECK-NOT: thalweg_crossing
// CHECK: decision 1 refused: between the calls, what is to be written may be changed
#define BODY char *body
#define BETWEEN                                                                                                        \
    char large[100];                                                                                                   \
    if (pwrite(file, large, sizeof large, offset + 4) != sizeof large)                                                 \
        return 3;                                                                                                      \
    large[offset & 63] = 1;                                                                                            \
    body = large;                                                                                                      \
    size = sizeof large;                                                                                               \
    offset += sizeof large - 4
#include "put_parts.h"
