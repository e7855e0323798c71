// benchmarks: what the programs that wait have in common: their command line, their clock, and what is counted.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <malloc.h>
#include <new>

namespace waits {

inline uint64_t allocations = 0;

// Of the process, kernel and all: the benchmark's clock.
inline double cpu_ns() {
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e9 + static_cast<double>(now.tv_nsec);
}

struct Case {
    const char *name;
    uint64_t (*run)(uint64_t count);  // gives a number for all that was computed
};

// Tasks that are all blocked at once: what one of them takes of the heap.
inline double bytes_of_a_blocked_task(void (*block)(uint64_t count)) {
    constexpr uint64_t tasks = 100000;
    const size_t before = mallinfo2().uordblks;
    block(tasks);
    return static_cast<double>(mallinfo2().uordblks - before) / static_cast<double>(tasks);
}

// main CASE|all COUNT; block: null where there is no such case. What was allocated is counted when all sizes have been there once.
template <size_t count>
int drive(int argc, char **argv, const Case (&cases)[count], void (*block)(uint64_t)) {
    if (argc != 3) {
        std::fprintf(stderr, "usage: %s CASE|all COUNT\n", argv[0]);
        return 2;
    }
    const uint64_t times = std::strtoull(argv[2], nullptr, 10);
    bool found = false;
    for (const Case &one : cases) {
        if (std::strcmp(argv[1], "all") != 0 && std::strcmp(argv[1], one.name) != 0)
            continue;
        found = true;
        one.run(10);
        const uint64_t allocated = allocations;
        const double start = cpu_ns();
        const uint64_t digest = one.run(times);
        std::printf("%s %.3f ns %llx\n", one.name, (cpu_ns() - start) / static_cast<double>(times),
                    static_cast<unsigned long long>(digest));
        std::printf("%s %.3f allocations\n", one.name,
                    static_cast<double>(allocations - allocated) / static_cast<double>(times));
    }
    if (block && (std::strcmp(argv[1], "all") == 0 || std::strcmp(argv[1], "blocked") == 0)) {
        std::printf("blocked %.1f bytes\n", bytes_of_a_blocked_task(block));
        found = true;
    }
    if (!found)
        std::fprintf(stderr, "%s: there is no case %s\n", argv[0], argv[1]);
    return found ? 0 : 2;
}

}  // namespace waits

// Counted, and else the C library's.
void *operator new(size_t size) {
    ++waits::allocations;
    if (void *memory = std::malloc(size))
        return memory;
    throw std::bad_alloc();
}
void *operator new(size_t size, std::align_val_t alignment) {
    ++waits::allocations;
    if (void *memory = std::aligned_alloc(static_cast<size_t>(alignment), size))
        return memory;
    throw std::bad_alloc();
}
void operator delete(void *memory) noexcept { std::free(memory); }
void operator delete(void *memory, size_t) noexcept { std::free(memory); }
void operator delete(void *memory, std::align_val_t) noexcept { std::free(memory); }
