// abi: writes that lie side by side in an ordinary file are made as one.
#pragma once

#include <stdint.h>
#include <sys/uio.h>

#include "abi/descriptors.h"

// What is known of the files that a group of writes goes to (decision `coalesce`). The plug-in makes one for each group, filled with zeros.
struct thalweg_crossing_file {
    uint64_t file_system;  // the last ordinary file's, by its lasting number (crossing/file_system.h); 0: none
    uint32_t left_alone;  // so many groups are not tried
};

// So many groups are left alone after a descriptor that is none of an ordinary file: asking costs two system calls (0.7 us where the writes
// of a group of three cost 4.9 us, on ext4), so that asking in vain costs less than 1 %.
inline constexpr uint32_t thalweg_crossing_groups_left_alone = 32;

// What a gathered write has done of the calls that it stands for, when they are made one by one after all.
struct thalweg_crossing_written {
    int64_t bytes;  // of theirs; -1: none, the first has failed; 0: nothing is known, they are to be made
    int32_t error;  // errno of the first
};

extern "C" {

// Whether one write may replace several here: the descriptor is open for writing on a regular file on which nobody can tell the difference. Asks
// the kernel unless `known` answers it (null: nothing is known), and not at all if the program may make no calls of its own. If false, the next
// groups of this file are skipped. Preserves errno.
bool thalweg_crossing_may_gather(thalweg_crossing_file *file, int descriptor, thalweg_crossing_descriptors *known);
// Writes all parts at `offset`, or at the file's own offset if that is negative. False: not everything was written; `written` says how much, and
// errno is preserved.
bool thalweg_crossing_gather(int descriptor, const iovec *parts, int count, int64_t offset,
                             thalweg_crossing_written *written);
// Returns the result, and sets the errno, that the next original write of `size` bytes would have had. For use while `written` has bytes left.
int64_t thalweg_crossing_written_of(thalweg_crossing_written *written, uint64_t size);

}  // extern "C"
