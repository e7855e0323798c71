// crossing: writes that lie side by side in an ordinary file are made as one.
#pragma once

#include <stdint.h>
#include <sys/uio.h>

#include "crossing/descriptors.h"

// What is known of the files that a group of writes goes to (decision `coalesce`). The plug-in makes one for each group, filled with zeros.
struct thalweg_crossing_file {
    uint64_t file_system;  // the last ordinary file's, by its lasting number (crossing/file_system.h); 0: none
    uint32_t left_alone;  // so many groups are not tried
};

// What a gathered write has done of the calls that it stands for, when they are made one by one after all.
struct thalweg_crossing_written {
    int64_t bytes;  // of theirs; -1: none, the first has failed; 0: nothing is known, they are to be made
    int32_t error;  // errno of the first
};

extern "C" {

// Whether it is an ordinary file's, open for writing, where nobody can tell one write from several; asked where it isn't `known` (null: nothing
// is), and never where the program may make no calls of its own. If not, the file's next groups are left alone. errno stays as it is.
bool thalweg_crossing_may_gather(thalweg_crossing_file *file, int descriptor, thalweg_crossing_descriptors *known);
// Whether all parts were written, at `offset` or, where that is negative, at the descriptor's own. If not, `written` says what was, and errno
// stays as it is.
bool thalweg_crossing_gather(int descriptor, const iovec *parts, int count, int64_t offset,
                             thalweg_crossing_written *written);
// In place of the next of the calls, of `size` bytes, while something of them is written: its result, and its errno.
int64_t thalweg_crossing_written_of(thalweg_crossing_written *written, uint64_t size);

}  // extern "C"
