// crossing: whether a thread may keep small blocks, and what becomes of them when it ends.
//
// Where another malloc serves the process (one of the program's own, of a library, of LD_PRELOAD, of valgrind), or the user has set glibc's to look after
// errors, nothing is kept. That is found out before the first constructor runs, without a system call, without a block, and with none of those functions of
// the C library that a program may have instead (getenv, pthread_once ...).
#include "crossing/blocks.h"

#include <cstdint>
#include <cstdlib>
#include <cstring>

#include <dlfcn.h>
#include <elf.h>
#include <malloc.h>
#include <pthread.h>
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
[[gnu::weak]] void *_Znam(size_t size);
[[gnu::weak]] void _ZdlPv(void *block);
[[gnu::weak]] void _ZdaPv(void *block);
[[gnu::weak]] void _ZdlPvm(void *block, size_t size);
[[gnu::weak]] void _ZdaPvm(void *block, size_t size);
[[gnu::weak]] void *__cxa_begin_catch(void *exception);
int __pthread_key_create(pthread_key_t *key, void (*end)(void *));
}
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)

__thread thalweg_crossing_blocks thalweg_crossing_small_blocks;

namespace {

// Of one size as many are kept as fit so many bytes, and at least as many as glibc keeps for a thread (malloc.c, TCACHE_FILL_COUNT). In all that is
// 512 KiB at most, 2.2 times what glibc's own lists of a thread hold.
constexpr uint64_t kept_bytes = 8192;
constexpr uint64_t least_kept = 7;

enum Ends : uint32_t { not_asked, being_asked, told, not_told };  // of threads

struct Process {
    uint64_t key = 0;  // 0: nothing is kept
    const thalweg_crossing_blocks *first_thread = nullptr;  // it ends with the process
    uint32_t ends = not_asked;
    pthread_key_t threads = 0;
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

// What stands in the program itself may be its own, or C++'s, linked statically.
bool is_of_cxx_library(const void *operation) {
    if (operation == nullptr)
        return true;
    const void *library = file_of(reinterpret_cast<void *>(&__cxa_begin_catch));
    return library != nullptr && file_of(operation) == library &&
           library != file_of(reinterpret_cast<void *>(&thalweg_crossing_begin_blocks));
}

bool has_operators_of_library() {
    const void *const operators[] = {reinterpret_cast<void *>(&_Znwm),   reinterpret_cast<void *>(&_Znam),
                                     reinterpret_cast<void *>(&_ZdlPv),  reinterpret_cast<void *>(&_ZdaPv),
                                     reinterpret_cast<void *>(&_ZdlPvm), reinterpret_cast<void *>(&_ZdaPvm)};
    for (const void *one : operators)
        if (!is_of_cxx_library(one))
            return false;
    return true;
}

// A chunk in use, as glibc's are (malloc.c, "Chunks"), outside of its heap.
template <size_t chunk>
struct alignas(16) Chunk {
    static constexpr size_t in_use = 1;  // the one before this
    size_t before = 0;
    size_t size = chunk | in_use;
    unsigned char block[chunk - 2 * sizeof(size_t)] = {};
    size_t before_next = 0;
    size_t size_of_next = 2 * chunk | in_use;
};

// Whether the word in front of a block is its chunk's size: whether malloc_usable_size goes by it. That of valgrind, say, does not know the block.
template <size_t chunk>
bool has_known_layout() {
    Chunk<chunk> made;
    void *block = made.block;
    asm volatile("" : "+r"(block) : : "memory");
    return malloc_usable_size(block) == chunk - thalweg_crossing_block_word;
}

bool may_keep(char *const *environment) {
    return is_same(&std::malloc, &__libc_malloc) && is_same(&std::calloc, &__libc_calloc) &&
           is_same(&std::realloc, &__libc_realloc) && is_same(&std::free, &__libc_free) &&
           is_of_one_file(&std::malloc, &malloc_usable_size) && has_operators_of_library() &&
           !thalweg_crossing_looks_for_errors(environment) && has_known_layout<64>() && has_known_layout<1040>();
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
uint64_t key_of(const void *random) {
    unsigned __int128 bytes = 0;
    std::memcpy(&bytes, random, sizeof bytes);
    const unsigned __int128 product =
        static_cast<unsigned __int128>(static_cast<uint64_t>(bytes)) * static_cast<uint64_t>(bytes >> 64);
    return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}

// They stand in the auxiliary vector, behind the environment (System V ABI, "Initial Process Stack"). Null: not there.
const void *random_bytes(char *const *environment) {
    while (*environment != nullptr)
        ++environment;
    for (const auto *entry = reinterpret_cast<const Elf64_auxv_t *>(environment + 1); entry->a_type != AT_NULL; ++entry)
        if (entry->a_type == AT_RANDOM)
            return reinterpret_cast<const void *>(entry->a_un.a_val);
    return nullptr;
}

void find_out(int, char **, char **environment) {
    if (environment == nullptr || !may_keep(environment))
        return;
    process.first_thread = &thalweg_crossing_small_blocks;
    if (const void *random = random_bytes(environment))
        process.key = key_of(random);
}

// In front of all constructors, those of libraries too: the environment is still the kernel's. Only a program has this table.
using Constructor = void (*)(int, char **, char **);
[[gnu::section(".preinit_array"), gnu::used]] const Constructor finds_out_first = find_out;

// Whether the thread's end will be told. A program of one thread uses no key of its threads.
bool has_end(thalweg_crossing_blocks &own) {
    uint32_t none = not_asked;
    if (__atomic_compare_exchange_n(&process.ends, &none, being_asked, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        __atomic_store_n(&process.ends, __pthread_key_create(&process.threads, end_thread) == 0 ? told : not_told,
                         __ATOMIC_RELEASE);
    return __atomic_load_n(&process.ends, __ATOMIC_ACQUIRE) == told && pthread_setspecific(process.threads, &own) == 0;
}

bool begins_with(const char *text, const char *words) {
    while (*words != '\0')
        if (*text++ != *words++)
            return false;
    return true;
}

bool contains(const char *text, const char *words) {
    for (; *text != '\0'; ++text)
        if (begins_with(text, words))
            return true;
    return false;
}

}  // namespace

bool thalweg_crossing_looks_for_errors(const char *const *environment) {
    for (; *environment != nullptr; ++environment)
        if (begins_with(*environment, "MALLOC_CHECK_=") || begins_with(*environment, "MALLOC_PERTURB_=") ||
            (begins_with(*environment, "GLIBC_TUNABLES=") && contains(*environment, "glibc.malloc.")))
            return true;
    return false;
}

bool thalweg_crossing_begin_blocks() noexcept {
    thalweg_crossing_blocks &own = thalweg_crossing_small_blocks;
    if (own.is_asked != 0 || process.key == 0 || (&own != process.first_thread && !has_end(own)))
        return false;
    own.is_asked = 1;
    for (uint64_t i = thalweg_crossing_first_block_class; i <= thalweg_crossing_last_block_class; ++i) {
        const uint64_t many = kept_bytes / (i << thalweg_crossing_block_unit_bits);
        own.of[i].room = many < least_kept ? least_kept : many;
    }
    own.key = process.key;
    return true;
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
