// crossing: a large block that was given back is kept, so that the kernel is not asked for the next one.
#include <dlfcn.h>
#include <malloc.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "abi/crossing.h"
#include "crossing/own_calls.h"

namespace {

// mallopt(3), M_MMAP_THRESHOLD: from this size on malloc asks the kernel for each block. It can't be less; it may grow up to the other.
constexpr size_t smallest_kept = 128 * 1024;
constexpr size_t largest_kept = 32UL * 1024 * 1024;  // DEFAULT_MMAP_THRESHOLD_MAX of 64-bit systems
// A block serves requests down to half its size: what is handed out binds no more than twice the memory that was asked for.
constexpr size_t most_times_too_large = 2;

enum Answer : uint32_t { not_asked, yes, no };

bool is_unlimited(__rlimit_resource resource) {
    rlimit limit{};
    return getrlimit(resource, &limit) == 0 && limit.rlim_cur == RLIM_INFINITY;
}

// Where another library serves malloc and not malloc_usable_size, the latter would read what isn't there. dladdr would look for the symbols
// too, among all of the C library's: 177,000 instructions a process.
bool same_library() {
    dl_find_object malloc_of{};
    dl_find_object size_of{};
    return _dl_find_object(reinterpret_cast<void *>(&malloc), &malloc_of) == 0 &&
           _dl_find_object(reinterpret_cast<void *>(&malloc_usable_size), &size_of) == 0 &&
           malloc_of.dlfo_link_map == size_of.dlfo_link_map;
}

// With a limit on the memory of a process, one block more might make another request fail.
bool may_keep(thalweg_crossing_slot *slot) {
    uint32_t answer = __atomic_load_n(&slot->may_keep, __ATOMIC_RELAXED);
    if (answer == not_asked) {
        const bool may =
            thalweg_crossing_may_call() && is_unlimited(RLIMIT_AS) && is_unlimited(RLIMIT_DATA) && same_library();
        answer = may ? yes : no;
        __atomic_store_n(&slot->may_keep, answer, __ATOMIC_RELAXED);
    }
    return answer == yes;
}

bool serves(void *block, size_t size, size_t alignment) {
    const size_t usable = malloc_usable_size(block);
    // posix_memalign(3): others are errors, which the original call is to tell.
    const bool is_power = alignment >= sizeof(void *) && (alignment & (alignment - 1)) == 0;
    return is_power && (reinterpret_cast<uintptr_t>(block) & (alignment - 1)) == 0 && usable >= size &&
           usable / most_times_too_large <= size;
}

}  // namespace

void *thalweg_crossing_take(thalweg_crossing_slot *slot, size_t size, size_t alignment) {
    if (size < smallest_kept / most_times_too_large || __atomic_load_n(&slot->block, __ATOMIC_RELAXED) == nullptr)
        return nullptr;
    void *block = __atomic_exchange_n(&slot->block, nullptr, __ATOMIC_ACQUIRE);
    if (block == nullptr || serves(block, size, alignment))
        return block;
    free(block);  // so that a block of the size that is wanted now is kept next
    return nullptr;
}

void thalweg_crossing_give_back(thalweg_crossing_slot *slot, void *block) {
    if (block != nullptr) {
        void *kept = __atomic_load_n(&slot->block, __ATOMIC_RELAXED);
        const size_t usable = kept == nullptr ? malloc_usable_size(block) : 0;
        if (usable >= smallest_kept && usable <= largest_kept && may_keep(slot) &&
            __atomic_compare_exchange_n(&slot->block, &kept, block, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED))
            return;
        // Given back twice: the C library is to see it as it would have, and nobody is to get the block.
        if (kept == block &&
            __atomic_compare_exchange_n(&slot->block, &kept, nullptr, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
            free(block);
    }
    free(block);
}
