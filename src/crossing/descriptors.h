// crossing: what else the room asks of known descriptors.
#pragma once

#include "abi/descriptors.h"

// Whether nobody can tell one write from several, as far as the flags of open say.
bool thalweg_crossing_takes_joined_writes(int flags);
// Whether both are known of it now.
bool thalweg_crossing_is_known(const thalweg_crossing_descriptors *known, int descriptor);
// After the kernel was asked in `epoch`: both are so. `device` 0: it may be another's tomorrow.
void thalweg_crossing_note_ordinary(thalweg_crossing_descriptors *known, uint64_t epoch, int descriptor,
                                    uint64_t device);
