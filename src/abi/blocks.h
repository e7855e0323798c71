// abi: small blocks of memory that a thread has given back, and keeps for its next requests (decision `reuse`; docs/BLOCKS.md).
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <thalweg/abi.h>

// Blocks are told apart by the size of glibc's chunk (malloc.c, "Chunks"): what was asked for and a word, in units of 16 bytes, two at least.
inline constexpr uint32_t thalweg_crossing_block_unit_bits = 4;
inline constexpr uint32_t thalweg_crossing_block_word = 8;
inline constexpr uint32_t thalweg_crossing_first_block_class = 2;
// 1,032 bytes, as far as glibc's own lists of a thread go (malloc.c, TCACHE_MAX_BINS).
inline constexpr uint32_t thalweg_crossing_last_block_class = 65;

// Of one size. A block's first word leads to the next one; it is masked by the block's address, as glibc's are (PROTECT_PTR), and the second word is the
// thread's key, by which a block that is given back twice is seen.
struct thalweg_crossing_block_list {
    uint64_t first;  // address; 0: the list is empty
    uint64_t room;  // so many more are kept
};
inline constexpr uint32_t thalweg_crossing_mask_bits = 12;

struct thalweg_crossing_blocks {
    uint64_t key;  // 0: this thread keeps nothing, and has nothing
    uint64_t is_asked;  // it has begun to keep blocks; once it has ended it does not begin again
    thalweg_crossing_block_list of[thalweg_crossing_last_block_class + 1];
};

extern "C" {

extern __thread thalweg_crossing_blocks thalweg_crossing_small_blocks;

// Where the thread keeps nothing: whether it does from now on.
bool thalweg_crossing_begin_blocks() noexcept;
// The block holds the thread's key: where it is in the list already, the C library gets the whole list, so that it sees the block given back twice.
void thalweg_crossing_given_twice(void *block) noexcept;
// The list leads nowhere: somebody has written to a block that was given back. Ends the process, as the C library would.
void thalweg_crossing_damaged_blocks() noexcept;

}  // extern "C"
