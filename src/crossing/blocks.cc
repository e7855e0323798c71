// crossing: whether a thread may keep small blocks, and what becomes of them when it ends.
//
// Where another malloc serves the process (one of the program's own, of a library, of LD_PRELOAD, of valgrind), or the user has set glibc's to look after
// errors, nothing is kept: all is found out without a system call, before the first block is kept.
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include <dlfcn.h>
#include <malloc.h>
#include <pthread.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "abi/blocks.h"

// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming): theirs
extern "C" {
// glibc's own functions, under the names that nobody replaces.
[[gnu::weak]] void *__libc_malloc(size_t size);
[[gnu::weak]] void *__libc_calloc(size_t many, size_t size);
[[gnu::weak]] void *__libc_realloc(void *block, size_t size);
[[gnu::weak]] void __libc_free(void *block);
// Of C++'s library, where the program has it.
[[gnu::weak]] void *_Znwm(size_t size);
[[gnu::weak]] void _ZdlPv(void *block);
[[gnu::weak]] void *__cxa_begin_catch(void *exception);
}
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)

__thread thalweg_crossing_blocks thalweg_crossing_small_blocks;

namespace {

// Of one size as many are kept as fit so many bytes, and at least as many as glibc keeps for a thread (malloc.c, TCACHE_FILL_COUNT). In all that is
// 512 KiB at most, 2.2 times what glibc's own lists of a thread hold.
constexpr uint64_t kept_bytes = 8192;
constexpr uint64_t least_kept = 7;

struct Process {
    pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_key_t threads = 0;
    uint64_t key = 0;  // 0: nothing is kept
};
Process process;

template <class One, class Other>
bool is_same(One *one, Other *other) {
    const void *address = reinterpret_cast<void *>(one);
    // The compiler takes two declared functions for two functions.
    asm volatile("" : "+r"(address));
    return other != nullptr && address == reinterpret_cast<void *>(other);
}

const void *file_of(const void *function) {
    dl_find_object found{};
    return _dl_find_object(const_cast<void *>(function), &found) == 0 ? found.dlfo_link_map : nullptr;
}

template <class One, class Other>
bool is_of_one_file(One *one, Other *other) {
    const void *file = file_of(reinterpret_cast<void *>(one));
    return file != nullptr && file == file_of(reinterpret_cast<void *>(other));
}

bool is_own_new() {
    if (&_Znwm == nullptr && &_ZdlPv == nullptr)
        return true;
    return &_Znwm != nullptr && &_ZdlPv != nullptr && &__cxa_begin_catch != nullptr &&
           is_of_one_file(&_Znwm, &__cxa_begin_catch) && is_of_one_file(&_ZdlPv, &__cxa_begin_catch);
}

// mallopt(3), "Environment variables", and glibc's tunables: the user looks for errors, or sets what is kept.
bool is_set_by_user() {
    const char *tunables = std::getenv("GLIBC_TUNABLES");
    return std::getenv("MALLOC_CHECK_") != nullptr || std::getenv("MALLOC_PERTURB_") != nullptr ||
           (tunables != nullptr && std::strstr(tunables, "glibc.malloc.") != nullptr);
}

// Whether the word in front of a block is its chunk's size. It is read where its size may be glibc's alone: that of others need not be there.
bool has_known_layout(size_t size) {
    constexpr size_t unit = size_t{1} << thalweg_crossing_block_unit_bits;
    void *block = std::malloc(size);
    if (block == nullptr)
        return false;
    const size_t chunk = malloc_usable_size(block) + thalweg_crossing_block_word;
    const size_t least = (size + thalweg_crossing_block_word + unit - 1) / unit * unit;
    bool is_known = chunk % unit == 0 && chunk >= 2 * unit && chunk >= least && chunk <= least + 2 * unit;
    if (is_known) {
        size_t word = 0;
        std::memcpy(&word, static_cast<char *>(block) - sizeof word, sizeof word);
        is_known = word / unit * unit == chunk;
    }
    std::free(block);
    return is_known;
}

bool may_keep() {
    return is_same(&std::malloc, &__libc_malloc) && is_same(&std::calloc, &__libc_calloc) &&
           is_same(&std::realloc, &__libc_realloc) && is_same(&std::free, &__libc_free) &&
           is_of_one_file(&std::malloc, &malloc_usable_size) && is_own_new() && !is_set_by_user() &&
           has_known_layout(1) && has_known_layout(1000);
}

uint64_t masked(uint64_t next, uint64_t block) { return next ^ (block >> thalweg_crossing_mask_bits); }

uint64_t next_of(uint64_t block) {
    uint64_t word = 0;
    std::memcpy(&word, reinterpret_cast<void *>(block), sizeof word);
    return masked(word, block);
}

void give_to_library(thalweg_crossing_block_list &list, uint64_t last) {
    uint64_t block = list.first;
    list.first = 0;
    while (block != 0) {
        const uint64_t next = next_of(block);
        if (block != last)
            std::free(reinterpret_cast<void *>(block));
        block = next;
        ++list.room;
    }
}

void end_thread(void *of_thread) {
    auto &blocks = *static_cast<thalweg_crossing_blocks *>(of_thread);
    blocks.key = 0;
    for (thalweg_crossing_block_list &list : blocks.of) {
        give_to_library(list, 0);
        list.room = 0;
    }
}

// The kernel's random bytes are those of the stack's guard: none of them can be told from the key.
uint64_t random_key() {
    unsigned __int128 bytes = 0;
    const auto *given = reinterpret_cast<const void *>(getauxval(AT_RANDOM));
    if (given == nullptr)
        return 0;
    std::memcpy(&bytes, given, sizeof bytes);
    const unsigned __int128 product =
        static_cast<unsigned __int128>(static_cast<uint64_t>(bytes)) * static_cast<uint64_t>(bytes >> 64);
    return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}

void find_out() {
    if (may_keep() && pthread_key_create(&process.threads, end_thread) == 0)
        process.key = random_key();
}

}  // namespace

void thalweg_crossing_begin_blocks() noexcept {
    thalweg_crossing_blocks &own = thalweg_crossing_small_blocks;
    if (own.is_asked != 0)
        return;
    own.is_asked = 1;
    const int error = errno;  // free leaves it as it is
    pthread_once(&process.once, find_out);
    if (process.key != 0 && pthread_setspecific(process.threads, &own) == 0) {
        for (uint64_t i = thalweg_crossing_first_block_class; i <= thalweg_crossing_last_block_class; ++i) {
            const uint64_t many = kept_bytes / (i << thalweg_crossing_block_unit_bits);
            own.of[i].room = many < least_kept ? least_kept : many;
        }
        own.key = process.key;
    }
    errno = error;
}

void thalweg_crossing_given_twice(void *block) noexcept {
    uint64_t word = 0;
    std::memcpy(&word, static_cast<char *>(block) - sizeof word, sizeof word);
    thalweg_crossing_block_list &list = thalweg_crossing_small_blocks.of[word >> thalweg_crossing_block_unit_bits];
    const auto wanted = reinterpret_cast<uint64_t>(block);
    for (uint64_t one = list.first; one != 0; one = next_of(one))
        if (one == wanted) {
            give_to_library(list, wanted);
            std::free(block);
            return;
        }
}

void thalweg_crossing_damaged_blocks() noexcept {
    constexpr char words[] = "malloc(): a small block was written to after it had been given back\n";
    [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, words, sizeof words - 1);
    std::abort();
}
