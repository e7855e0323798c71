// thalweg: memory of tamed functions and events, kept by each thread for the next one of the same size.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
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

class Pool;

struct Block {
    Block *next;
};

// Blocks of one size, cut from one piece of memory: a block has no header of its own. In a ring with the others of this size.
struct Slab {
    static constexpr size_t alignment = 4096;
    // malloc's own header before it fills the page, so that one follows the other.
    static constexpr size_t bytes = alignment - 16;

    std::atomic<Pool *> pool;  // null: its thread has ended
    Slab *next, *previous;
    Block *free = nullptr;
    uint32_t used = 0;  // by its thread's account
    uint32_t size;
    // Given back in other threads, which add to it and do nothing else. When the thread has ended: less what was left then, so that
    // who comes to 0 is the last.
    std::atomic<int32_t> elsewhere = 0;

    Slab(Pool *own, uint32_t block_size) : pool(own), next(this), previous(this), size(block_size) {
        char *memory = reinterpret_cast<char *>(this + 1);
        for (size_t end = (bytes - sizeof(Slab)) / size * size; end != 0; end -= size)
            free = new (memory + end - size) Block{free};
    }
    static Slab *of(void *block) {
        return reinterpret_cast<Slab *>(reinterpret_cast<uintptr_t>(block) & ~uintptr_t{alignment - 1});
    }
    static Slab *make(Pool *own, size_t size) {
        return new (::operator new(bytes, std::align_val_t(alignment))) Slab(own, static_cast<uint32_t>(size));
    }
    static void end(Slab *slab) {
        slab->unlink();
        slab->~Slab();
        ::operator delete(slab, std::align_val_t(alignment));
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
        if (number >= slabs_.size())
            return ::operator new(size);
        Slab *slab = slabs_[number];
        if (!slab || !slab->free)
            slab = find(number);
        Block *block = slab->free;
        slab->free = block->next;
        ++slab->used;
        return block;
    }
    void give(void *memory, size_t size) {
        const size_t number = number_of(size);
        if (number >= slabs_.size())
            return ::operator delete(memory);
        Slab *slab = Slab::of(memory);
        if (slab != slabs_[number])
            return give_to_other(*slab, memory);
        slab->free = new (memory) Block{slab->free};
        --slab->used;
    }

    // Without a destructor, for a thread's variable that has one is asked at each use whether it is there yet.
    void end() {
        for (Slab *&current : slabs_) {
            while (current && current->next != current)
                orphan(*current->next);
            if (current)
                orphan(*current);
            current = nullptr;
        }
        ended_ = true;
    }

  private:
    static constexpr size_t step = 8;  // bytes
    // Seven blocks to a slab, and a frame of some ten locals; larger ones are rare.
    static constexpr size_t largest = THALWEG_POOL_KEEPS ? 512 : 0;
    static size_t number_of(size_t size) { return (size - 1) / step; }

    // The one that is used is followed by those that have free blocks, and these by those that have none.
    Slab *find(size_t number);
    void give_to_other(Slab &slab, void *memory);
    static void orphan(Slab &slab) {
        slab.unlink();
        slab.pool.store(nullptr, std::memory_order_relaxed);
        const auto left = static_cast<int32_t>(slab.used);
        if (slab.elsewhere.fetch_sub(left, std::memory_order_acq_rel) == left)
            Slab::end(&slab);
    }

    std::array<Slab *, largest / step> slabs_{};  // of each size, the one that is used
    bool ended_ = false;  // the thread's last destructors take and give too
};

inline constinit thread_local Pool pool;

struct PoolEnd {
    bool is_due = false;
    ~PoolEnd() { pool.end(); }
};
inline thread_local PoolEnd pool_end;

[[gnu::noinline]] inline Slab *Pool::find(size_t number) {
    pool_end.is_due = true;  // so that it is there
    Slab *current = slabs_[number];
    if (current && current->next->free)
        return slabs_[number] = current->next;
    auto *made = Slab::make(this, (number + 1) * step);
    if (ended_) {
        made->pool.store(nullptr, std::memory_order_relaxed);
        made->elsewhere.store(-1, std::memory_order_relaxed);  // the one block that is taken now
        return made;
    }
    slabs_[number] = made;
    if (!current)
        return made;
    // One that has none is looked at for each that is made: other threads may have given back all of it.
    Slab *full = current->next;
    made->put_after(*full);
    if (full != current && full->is_unused())
        Slab::end(full);
    return made;
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
        slab.put_after(*slabs_[number_of(slab.size)]);
}

}  // namespace thalweg::tame::detail
