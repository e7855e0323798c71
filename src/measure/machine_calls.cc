// measure: what calls, copies and the kernel's door cost.
#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "measure/machine_row.h"

namespace thalweg::measure {

namespace {

// The compiler may know nothing of it any more, so that a call through it stays one.
template <class T>
[[gnu::always_inline]] inline T hidden(T value) {
    asm volatile("" : "+r"(value));
    return value;
}

[[gnu::noinline]] uint64_t add_one(uint64_t value) { return hidden(value) + 1; }

struct Adder {
    virtual ~Adder() = default;
    virtual uint64_t add(uint64_t value) = 0;
};
struct OneAdder final : Adder {
    [[gnu::noinline]] uint64_t add(uint64_t value) override { return hidden(value) + 1; }
};

Result<Work> direct_call(const std::string &, uint32_t) {
    return Work([](uint64_t count) {
        uint64_t value = 0;
        for (uint64_t i = 0; i < count; ++i)
            value = add_one(value);
        hidden(value);
        return 0;
    });
}

Result<Work> indirect_call(const std::string &, uint32_t) {
    return Work([](uint64_t count) {
        uint64_t value = 0;
        for (uint64_t i = 0; i < count; ++i)
            value = hidden(&add_one)(value);
        hidden(value);
        return 0;
    });
}

Result<Work> virtual_call(const std::string &, uint32_t) {
    return Work([](uint64_t count) {
        OneAdder one;
        uint64_t value = 0;
        for (uint64_t i = 0; i < count; ++i)
            value = hidden(static_cast<Adder *>(&one))->add(value);
        hidden(value);
        return 0;
    });
}

// Four handlers of one addition each, as those that the planner's costs were taken from.
constexpr uint32_t handlers = 4;
template <uint64_t number>
[[gnu::always_inline]] inline void add(void *sum) {
    *static_cast<uint64_t *>(sum) += number;
}
template <uint64_t number>
[[gnu::noinline]] void handler(void *sum) {
    add<number>(sum);
    asm volatile("");  // not the same as another one, and not nothing
}
struct Slot {
    void (*function)(void *);
    void *context;
};

Result<Work> list_of_handlers(const std::string &, uint32_t) {
    return Work([](uint64_t count) {
        std::array<uint64_t, handlers> sums{};
        const std::array<Slot, handlers> slots{
            {{handler<1>, &sums[0]}, {handler<2>, &sums[1]}, {handler<3>, &sums[2]}, {handler<4>, &sums[3]}}};
        for (uint64_t i = 0; i < count; ++i) {
            const Slot *end = hidden(slots.data() + slots.size());
            for (const Slot *slot = hidden(slots.data()); slot != end; ++slot)
                slot->function(slot->context);
        }
        return 0;
    });
}

// What raises a list of handlers that may change while it runs: a frame is pushed, each handler may have changed its state, it is popped.
// The shape of docs/ARCHITECTURE.md, "The shape of a raise".
struct Frame {
    Frame *previous = nullptr;
    uint64_t state = 0;
};
struct Core {
    const Slot *slots = nullptr;
    const Slot *end = nullptr;
    Frame *frames = nullptr;
    uint64_t path = 1;
};

template <size_t slots_used>
Result<Work> raised_handlers(const std::string &, uint32_t) {
    return Work([](uint64_t count) {
        std::array<uint64_t, handlers> sums{};
        const std::array<Slot, handlers> slots{
            {{handler<1>, &sums[0]}, {handler<2>, &sums[1]}, {handler<3>, &sums[2]}, {handler<4>, &sums[3]}}};
        Core event{.slots = slots.data(), .end = slots.data() + slots_used};
        for (uint64_t i = 0; i < count; ++i) {
            Core *core = hidden(&event);
            Frame frame{.previous = core->frames};
            core->frames = &frame;
            const Slot *end = core->end;
            for (const Slot *slot = core->slots; slot != end; ++slot) {
                slot->function(slot->context);
                if (frame.state != 0)
                    return ECANCELED;
            }
            core->frames = frame.previous;
        }
        return 0;
    });
}

[[gnu::always_inline]] inline void add_all(uint64_t *at) {
    add<1>(at);
    add<2>(at + 1);
    add<3>(at + 2);
    add<4>(at + 3);
    asm volatile("" ::: "memory");
}

// The same line of merged handlers, under one test for all of them.
Result<Work> path_tested(const std::string &, uint32_t) {
    return Work([](uint64_t count) {
        std::array<uint64_t, handlers> sums{};
        Core event;
        for (uint64_t i = 0; i < count; ++i) {
            if (hidden(&event)->path != 1)
                return ECANCELED;
            add_all(hidden(sums.data()));
        }
        return 0;
    });
}

// And under a test for each of them.
Result<Work> slots_tested(const std::string &, uint32_t) {
    return Work([](uint64_t count) {
        std::array<uint64_t, handlers> sums{};
        const std::array<Slot, handlers> slots{
            {{handler<1>, &sums[0]}, {handler<2>, &sums[1]}, {handler<3>, &sums[2]}, {handler<4>, &sums[3]}}};
        for (uint64_t i = 0; i < count; ++i) {
            const Slot *at = hidden(slots.data());
            if (at[0].function != handler<1> || at[1].function != handler<2> || at[2].function != handler<3> ||
                at[3].function != handler<4>)
                return ECANCELED;
            add_all(hidden(sums.data()));
        }
        return 0;
    });
}

Result<Work> called_handlers(const std::string &, uint32_t) {
    return Work([](uint64_t count) {
        std::array<uint64_t, handlers> sums{};
        for (uint64_t i = 0; i < count; ++i) {
            uint64_t *at = hidden(sums.data());
            handler<1>(at);
            handler<2>(at + 1);
            handler<3>(at + 2);
            handler<4>(at + 3);
        }
        return 0;
    });
}

Result<Work> merged_handlers(const std::string &, uint32_t) {
    return Work([](uint64_t count) {
        std::array<uint64_t, handlers> sums{};
        for (uint64_t i = 0; i < count; ++i) {
            add_all(hidden(sums.data()));
        }
        return 0;
    });
}

constexpr uint32_t cached_bytes = 4096;  // twice that fits into every level-1 cache
constexpr size_t uncached_bytes = size_t{64} << 20;  // twice that is more than a core's share of the last cache
constexpr uint32_t block_bytes = 65536;
// Between source and target, so that they don't lie at the same place in their pages: a load that follows a store to that place in
// another page waits for it.
constexpr size_t skew_bytes = 2112;

// Small pages, and not shared with the processes that other rows fork: each first write would copy a page then.
Result<std::shared_ptr<char>> own_memory(size_t size) {
    void *memory = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return failed("mmap");
    ::madvise(memory, size, MADV_DONTFORK);
    ::madvise(memory, size, MADV_NOHUGEPAGE);  // where it is not known, there are none
    return std::shared_ptr<char>(static_cast<char *>(memory), [size](char *at) { ::munmap(at, size); });
}

Result<Work> copy_cached(const std::string &, uint32_t) {
    auto bytes = std::make_shared<std::array<char, size_t{2} * cached_bytes>>();
    return Work([bytes](uint64_t count) {
        for (uint64_t i = 0; i < count; ++i)
            std::memcpy(hidden(bytes->data()), hidden(bytes->data() + cached_bytes), cached_bytes);
        return 0;
    });
}

Result<Work> copy_uncached(const std::string &, uint32_t) {
    constexpr size_t size = 2 * uncached_bytes + skew_bytes;
    const Result<std::shared_ptr<char>> memory = own_memory(size);
    if (!memory)
        return memory.error();
    std::memset(memory->get(), 1, size);
    auto at = std::make_shared<size_t>(0);
    return Work([bytes = *memory, at](uint64_t count) {
        for (uint64_t i = 0; i < count; ++i, *at = (*at + block_bytes) % uncached_bytes)
            std::memcpy(hidden(bytes.get() + *at), hidden(bytes.get() + uncached_bytes + skew_bytes + *at),
                        block_bytes);
        return 0;
    });
}

Result<Work> kernel_entry(const std::string &, uint32_t) {
    return Work([](uint64_t count) {
        for (uint64_t i = 0; i < count; ++i)
            ::syscall(SYS_getppid);
        return 0;
    });
}

Result<Work> open_null(const std::string &, uint32_t) {
    return Work([](uint64_t count) {
        for (uint64_t i = 0; i < count; ++i) {
            const int file = ::open("/dev/null", O_RDWR | O_CLOEXEC);
            if (file < 0 || ::close(file) != 0)
                return errno;
        }
        return 0;
    });
}

constexpr uint32_t fresh_pages = 64;

Result<Work> page_fault(const std::string &, uint32_t) {
    const size_t page = static_cast<size_t>(::sysconf(_SC_PAGESIZE));
    const size_t size = fresh_pages * page;
    const Result<std::shared_ptr<char>> memory = own_memory(size);
    if (!memory)
        return memory.error();
    return Work([pages = *memory, page, size](uint64_t count) {
        for (uint64_t i = 0; i < count; ++i) {
            if (::madvise(pages.get(), size, MADV_DONTNEED) != 0)
                return errno;
            for (size_t at = 0; at < size; at += page)
                *const_cast<volatile char *>(pages.get() + at) = 1;
        }
        return 0;
    });
}

}  // namespace

std::span<const MachineRow> call_rows() {
    static constexpr MachineRow rows[] = {
        {.name = "direct-call", .what = "a call of a function that is not inlined", .prepare = direct_call},
        {.name = "indirect-call",
         .what = "the same through a pointer, always to one function",
         .prepare = indirect_call,
         .against = "direct-call"},
        {.name = "virtual-call",
         .what = "the same through an object's table",
         .prepare = virtual_call,
         .against = "direct-call"},
        {.name = "merged-handler",
         .what = "one of four handlers of one addition each, all inlined",
         .prepare = merged_handlers,
         .operations = handlers},
        {.name = "called-handler",
         .what = "one of four handlers, called directly",
         .prepare = called_handlers,
         .operations = handlers,
         .against = "merged-handler"},
        {.name = "listed-handler",
         .what = "one of four handlers, called by a loop over a list",
         .prepare = list_of_handlers,
         .operations = handlers,
         .against = "merged-handler"},
        {.name = "raised-handler",
         .what = "one of four handlers, called by a raise that they may change",
         .prepare = raised_handlers<handlers>,
         .operations = handlers,
         .against = "merged-handler"},
        {.name = "raised-alone", .what = "a raise of one such handler", .prepare = raised_handlers<1>},
        {.name = "path-tested",
         .what = "one of four merged handlers under one test for all",
         .prepare = path_tested,
         .operations = handlers,
         .against = "merged-handler"},
        {.name = "slots-tested",
         .what = "one of four merged handlers under a test for each",
         .prepare = slots_tested,
         .operations = handlers,
         .against = "merged-handler"},
        {.name = "copy-cached",
         .what = "a byte copied, blocks of 4 KiB in the nearest cache",
         .prepare = copy_cached,
         .operations = cached_bytes},
        {.name = "copy-uncached",
         .what = "a byte copied, 64 MiB to another 64 MiB",
         .prepare = copy_uncached,
         .operations = block_bytes,
         .against = "copy-cached"},
        {.name = "system-call", .what = "into the kernel and out again: getppid", .prepare = kernel_entry},
        {.name = "open-close-null", .what = "open and close of /dev/null", .prepare = open_null},
        {.name = "page-fault",
         .what = "the first write to a page of fresh memory",
         .prepare = page_fault,
         .operations = fresh_pages},
    };
    return rows;
}

}  // namespace thalweg::measure
