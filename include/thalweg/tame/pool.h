// thalweg: memory of tamed functions and events, kept by each thread for the next one of the same size.
#pragma once

#include <array>
#include <cstddef>
#include <new>

#if defined(__SANITIZE_ADDRESS__)
#define THALWEG_POOL_KEEPS 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define THALWEG_POOL_KEEPS 0
#endif
#endif
#ifndef THALWEG_POOL_KEEPS
#define THALWEG_POOL_KEEPS 1
#endif

namespace thalweg::tame::detail {

// A block that is given back in another thread than it was taken in is that thread's from then on. Under AddressSanitizer nothing is
// kept, so that what is used too late is found.
class Pool {
  public:
    // Without a destructor, for a thread's variable that has one is asked at each use whether it is there yet.
    void drop_kept() {
        for (Class &blocks : classes_)
            while (Block *block = blocks.first) {
                blocks.first = block->next;
                ::operator delete(block);
            }
        ended_ = true;
    }

    void *take(size_t size) {
        const size_t number = class_of(size);
        if (number >= classes_.size())
            return ::operator new(size);
        Class &blocks = classes_[number];
        Block *block = blocks.first;
        if (!block)
            return take_new((number + 1) * step);
        blocks.first = block->next;
        --blocks.kept;
        return block;
    }
    void give(void *memory, size_t size) {
        const size_t number = class_of(size);
        if (number >= classes_.size() || ended_ || classes_[number].kept == most_kept)
            return ::operator delete(memory);
        Class &blocks = classes_[number];
        blocks.first = new (memory) Block{blocks.first};
        ++blocks.kept;
    }

  private:
    static constexpr size_t step = 16;  // bytes: what operator new aligns to
    static constexpr size_t largest = THALWEG_POOL_KEEPS ? 512 : 0;  // a frame of some ten locals; larger ones are rare
    // Of each size: a burst of connections that ends gives the rest back to the system.
    static constexpr size_t most_kept = 4096;

    struct Block {
        Block *next;
    };
    struct Class {
        Block *first = nullptr;
        size_t kept = 0;
    };
    static size_t class_of(size_t size) { return (size - 1) / step; }
    static void *take_new(size_t size);

    std::array<Class, largest / step> classes_{};
    bool ended_ = false;  // the thread's last destructors give memory back too
};

inline constinit thread_local Pool pool;

struct PoolEnd {
    bool is_due = false;
    ~PoolEnd() { pool.drop_kept(); }
};
inline thread_local PoolEnd pool_end;

[[gnu::noinline]] inline void *Pool::take_new(size_t size) {
    pool_end.is_due = true;  // so that it is there
    return ::operator new(size);
}

}  // namespace thalweg::tame::detail
