// crossing: what a file system promises of its files, and how long that is known.
#pragma once

#include <stdint.h>
#include <sys/stat.h>

// A file is a row of bytes, however it is written: one write is as good as several side by side.
inline constexpr uint32_t thalweg_crossing_is_row_of_bytes = 1;
// A read of a regular file is short at the file's size alone, or where a page can't be had.
inline constexpr uint32_t thalweg_crossing_ends_at_size = 2;
// What sendfile copies is what read and write would have copied, in memory of the files' own.
inline constexpr uint32_t thalweg_crossing_copies_bytes = 4;

// Asks the kernel (fstatfs). 0: nothing is promised. errno stays as it is.
uint32_t thalweg_crossing_promises_of(int descriptor);

// What to ask of statx for the next function.
extern const uint32_t thalweg_crossing_asks_for_number;
// A number of the file system that stays its own for as long as the program runs; 0: there is none, and what is known of the file system is
// known of this one file.
uint64_t thalweg_crossing_number_of(const struct statx &status);
