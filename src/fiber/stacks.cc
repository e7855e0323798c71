// fiber: memory for stacks.
#include "stacks.h"

#include <new>
#include <sys/mman.h>
#include <unistd.h>

#include <thalweg/tame/fiber.h>

#include "sanitizers.h"

namespace THALWEG_TAME::detail {

namespace {

struct StacksEnd {
    bool is_due = false;
    ~StacksEnd() { stacks.end(); }
};
thread_local StacksEnd stacks_end;  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables): ends with its thread

// AddressSanitizer would take what the last fiber's functions left there for theirs yet.
bool may_be_kept(size_t bytes) { return bytes == fiber_stack().bytes && !__sanitizer_start_switch_fiber; }

}  // namespace

constinit thread_local Stacks stacks;  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables): as the Pool

size_t page_size() { return static_cast<size_t>(sysconf(_SC_PAGESIZE)); }

char *Stacks::take(size_t bytes) {
    if (count_ != 0 && may_be_kept(bytes))
        return kept_[--count_];
    const size_t all = page_size() + bytes;
    void *memory = mmap(nullptr, all, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
    if (memory == MAP_FAILED)
        throw std::bad_alloc();
    if (mprotect(memory, page_size(), PROT_NONE) != 0) {
        munmap(memory, all);
        throw std::bad_alloc();
    }
    return static_cast<char *>(memory);
}

void Stacks::give(char *memory, size_t bytes) {
    if (ended_ || count_ == most || !may_be_kept(bytes)) {
        munmap(memory, page_size() + bytes);
        return;
    }
    stacks_end.is_due = true;  // so that it is there
    kept_[count_++] = memory;
}

void Stacks::end() {
    ended_ = true;
    while (count_ != 0)
        munmap(kept_[--count_], page_size() + fiber_stack().bytes);
}

}  // namespace THALWEG_TAME::detail
