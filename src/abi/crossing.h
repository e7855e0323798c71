// abi: what an optimised program calls in place of system calls, or before them.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <thalweg/abi.h>

// A block of memory that was given back, and is kept for the next request (decision `hoist`). The plug-in makes one for each decision,
// filled with zeros.
struct thalweg_crossing_slot {
    void *block;
    uint32_t may_keep;  // 0: not asked yet
};

// What a thread knows of the descriptor that it opened last, as long as its quiet stretch lasts (decision `elide`; docs/SYSTEM_CALLS.md).
// The plug-in makes one for each thread, filled with zeros, and has the program store 0 in `descriptor` in front of whatever ends a stretch,
// and `thalweg_crossing_being_opened` in front of an open that is told of.
struct thalweg_crossing_stretch {
    int32_t descriptor;  // and one; 0: nothing is known
    int32_t busy;  // a signal's handler that finds it set learns nothing here
    int64_t offset;
    int64_t size;  // as the descriptor's own fstat told, of a regular file that is read as POSIX has it
    uint32_t is_known;  // the size
    uint32_t at_end;  // the last read saw the end of the file
    int32_t advice;  // and one; that was given and not handed on: 0: none
    uint32_t file_systems;  // so many of these are known
    uint64_t file_system[4];  // by their lasting numbers (crossing/file_system.h)
    uint32_t ends_at_size[4];
};
inline constexpr int32_t thalweg_crossing_being_opened = -1;

extern "C" {

// The kept block where it serves the request; null: the original call is to be made.
void *thalweg_crossing_take(thalweg_crossing_slot *slot, size_t size, size_t alignment);
// In place of free(block): keeps a large block in an empty slot.
void thalweg_crossing_give_back(thalweg_crossing_slot *slot, void *block);

// After a call of open or openat that gave `descriptor`.
void thalweg_crossing_opened(thalweg_crossing_stretch *stretch, int descriptor, int flags);
// In place of the calls of these names: they make the call where its result is not known.
int thalweg_crossing_fstat(thalweg_crossing_stretch *stretch, int descriptor, struct stat *status);
// The same where `status` is a variable of the program's: then it can be written to.
int thalweg_crossing_fstat_into(thalweg_crossing_stretch *stretch, int descriptor, struct stat *status);
ssize_t thalweg_crossing_read(thalweg_crossing_stretch *stretch, int descriptor, void *buffer, size_t size);
off_t thalweg_crossing_lseek(thalweg_crossing_stretch *stretch, int descriptor, off_t offset, int whence);
int thalweg_crossing_posix_fadvise(thalweg_crossing_stretch *stretch, int descriptor, off_t offset, off_t size,
                                   int advice);
// In place of posix_fadvise where nobody looks at its result.
void thalweg_crossing_advise(thalweg_crossing_stretch *stretch, int descriptor, off_t offset, off_t size, int advice);

// Copies whole blocks from one descriptor to the other, where nobody can tell it from rounds of a loop that reads a block and writes it
// (decision `fuse`); both offsets move. How many bytes: 0 where the loop is to do it all. It always has to see the end itself.
size_t thalweg_crossing_copy(int from, int to, size_t block);

// How many digits a number has, and its digits from `at` on, so many as these say (decision `expand`).
size_t thalweg_crossing_decimal_digits(uint64_t number) noexcept;
void thalweg_crossing_put_decimal(char *at, uint64_t number, size_t digits) noexcept;
size_t thalweg_crossing_hexadecimal_digits(uint64_t number) noexcept;
void thalweg_crossing_put_hexadecimal(char *at, uint64_t number, size_t digits, int large_letters) noexcept;

}  // extern "C"
