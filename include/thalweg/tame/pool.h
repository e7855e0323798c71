// thalweg: memory of tamed functions and events, kept by each thread for the next one of the same size.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <utility>

#include <thalweg/variant.h>

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

namespace THALWEG_TAME::detail {

class Pool;

struct Block {
    Block *next;
};

// Blocks of one size, cut from one piece of memory: a block has no header of its own. In a ring with the others of this size.
struct Slab {
    static constexpr size_t alignment = 4096;
    static constexpr size_t step = 8;  // bytes from one size to the next
    // malloc's own header before it fills the page, so that one follows the other.
    static constexpr size_t bytes = alignment - 16;

    std::atomic<Pool *> pool;  // null: its thread has ended
    Slab *next, *previous;
    Block *free = nullptr;  // of the one that is used, the pool has them
    uint32_t used;  // by its thread's account; of the one that is used: all
    uint32_t size;
    // Given back in other threads, which add to it and do nothing else. When the thread has ended: less what was left then, so that
    // who comes to 0 is the last.
    std::atomic<int32_t> elsewhere = 0;

    Slab(Pool *own, uint32_t block_size) : pool(own), next(this), previous(this), size(block_size) {
        used = static_cast<uint32_t>((bytes - sizeof(Slab)) / size);
    }
    static Slab *of(void *block) {
        return reinterpret_cast<Slab *>(reinterpret_cast<uintptr_t>(block) & ~uintptr_t{alignment - 1});
    }
    static Slab *make(Pool *own, size_t size) {
        // Not operator new, which rounds the size up to the alignment: then malloc could not lay one after the other.
        void *memory = nullptr;
        if (posix_memalign(&memory, alignment, bytes) != 0)
            throw std::bad_alloc();
        return new (memory) Slab(own, static_cast<uint32_t>(size));
    }
    static void end(Slab *slab) {
        slab->unlink();
        slab->~Slab();
        std::free(slab);
    }
    // Each size begins elsewhere. Processors compare the last twelve bits of addresses first, and take a load for one of what
    // was just stored where only these are equal: a function and its event at the same place of their pages cost a tenth more.
    Block *cut() {
        char *memory = reinterpret_cast<char *>(this + 1);
        const uint32_t begin =
            used * (size / step * 37 % 64) / 64;  // 37: sizes that are near each other begin far apart
        Block *first = nullptr;
        for (uint32_t i = begin + used; i-- != begin;)
            first = new (memory + size_t{i % used} * size) Block{first};
        return first;
    }
    bool is_unused() const { return static_cast<int32_t>(used) == elsewhere.load(std::memory_order_acquire); }
    void unlink() {
        next->previous = previous;
        previous->next = next;
        next = previous = this;
    }
    void put_after(Slab &other) {
        unlink();
        previous = &other;
        next = other.next;
        next->previous = other.next = this;
    }
};

// Each block goes back where it came from, in whatever thread that happens; those that other threads give back are not used again
// before all of their slab are free. Under AddressSanitizer nothing is kept, so that what is used too late is found.
class Pool {
  public:
    void *take(size_t size) {
        const size_t number = number_of(size);
        if (number >= sizes_.size())
            return ::operator new(size);
        Block *block = sizes_[number].free;
        if (!block)
            block = find(number);
        sizes_[number].free = block->next;
        return block;
    }
    void give(void *memory, size_t size) {
        const size_t number = number_of(size);
        if (number >= sizes_.size())
            return ::operator delete(memory);
        Size &blocks = sizes_[number];
        if (Slab *slab = Slab::of(memory); slab != blocks.slab)
            return give_to_other(*slab, memory);
        blocks.free = new (memory) Block{blocks.free};
    }

    // Without a destructor, for a thread's variable that has one is asked at each use whether it is there yet.
    void end() {
        for (Size &blocks : sizes_) {
            if (!blocks.slab)
                continue;
            for (; blocks.free; blocks.free = blocks.free->next)
                --blocks.slab->used;
            while (blocks.slab->next != blocks.slab)
                orphan(*blocks.slab->next);
            orphan(*blocks.slab);
            blocks.slab = nullptr;
        }
        ended_ = true;
    }

  private:
    // Seven blocks to a slab, and a frame of some ten locals; larger ones are rare.
    static constexpr size_t largest = THALWEG_POOL_KEEPS ? 512 : 0;
    static size_t number_of(size_t size) { return (size - 1) / Slab::step; }

    struct Size {
        Block *free = nullptr;
        // The one that is used: followed by those that have free blocks, and these by those that have none.
        Slab *slab = nullptr;
    };

    Block *find(size_t number);
    void give_to_other(Slab &slab, void *memory);
    static void orphan(Slab &slab) {
        slab.unlink();
        slab.pool.store(nullptr, std::memory_order_relaxed);
        const auto left = static_cast<int32_t>(slab.used);
        if (slab.elsewhere.fetch_sub(left, std::memory_order_acq_rel) == left)
            Slab::end(&slab);
    }

    std::array<Size, largest / Slab::step> sizes_{};
    bool ended_ = false;  // the thread's last destructors take and give too
};

inline constinit thread_local Pool pool;

struct PoolEnd {
    bool is_due = false;
    ~PoolEnd() { pool.end(); }
};
inline thread_local PoolEnd pool_end;

[[gnu::noinline]] inline Block *Pool::find(size_t number) {
    pool_end.is_due = true;  // so that it is there
    Size &blocks = sizes_[number];
    if (blocks.slab && blocks.slab->next->free) {
        blocks.slab = blocks.slab->next;
        for (const Block *block = blocks.slab->free; block; block = block->next)
            ++blocks.slab->used;
        return std::exchange(blocks.slab->free, nullptr);
    }
    auto *made = Slab::make(this, (number + 1) * Slab::step);
    if (ended_) {
        made->pool.store(nullptr, std::memory_order_relaxed);
        made->elsewhere.store(-1, std::memory_order_relaxed);  // the one block that is taken now
        return new (made + 1) Block{nullptr};
    }
    Slab *last = std::exchange(blocks.slab, made);
    if (last) {
        // One that has none is looked at for each that is made: other threads may have given back all of it.
        Slab *full = last->next;
        made->put_after(*full);
        if (full != last && full->is_unused())
            Slab::end(full);
    }
    return made->cut();
}

[[gnu::noinline]] inline void Pool::give_to_other(Slab &slab, void *memory) {
    if (slab.pool.load(std::memory_order_relaxed) != this) {
        if (slab.elsewhere.fetch_add(1, std::memory_order_acq_rel) == -1)
            Slab::end(&slab);
        return;
    }
    const bool had_none = !slab.free;
    slab.free = new (memory) Block{slab.free};
    --slab.used;
    if (slab.is_unused())
        Slab::end(&slab);
    else if (had_none)
        slab.put_after(*sizes_[number_of(slab.size)].slab);
}

}  // namespace THALWEG_TAME::detail
