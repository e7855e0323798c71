// fiber: memory for stacks, with a page below each that is nobody's; a thread keeps some for its next fibers.
#pragma once

#include <array>
#include <cstddef>

#include <thalweg/variant.h>

namespace THALWEG_TAME::detail {

size_t page_size();

// One of each thread, without a destructor as the Pool: a fiber may end after the thread's variables.
class Stacks {
  public:
    // Of so many bytes, and the page below, with which the memory begins; both whole pages. Throws std::bad_alloc.
    char *take(size_t bytes);
    void give(char *memory, size_t bytes);
    void end();

  private:
    // To make a stack, touch and unmake it takes 9 us, to take a kept one nothing (measured); a fiber that does little touches two pages,
    // so that a thread keeps some 128 kB.
    static constexpr size_t most = 16;

    std::array<char *, most> kept_{};  // of the usual size
    size_t count_ = 0;
    bool ended_ = false;
};

extern constinit thread_local Stacks stacks;

}  // namespace THALWEG_TAME::detail
