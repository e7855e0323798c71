// recorder: which site gave the large blocks of memory that the process has.
#pragma once

#include <cstdint>

namespace thalweg::recorder {

// All threads' blocks, since another one may give a block back. No locks: a signal handler may come at any time, and a child may be
// forked.
class Blocks {
  public:
    // More than these at a time, or in one set, are not known: their release is not seen.
    static constexpr uint32_t sets = 512;
    static constexpr uint32_t per_set = 8;

    bool add(uint64_t address, uint32_t site);
    // The site that gave it, and it is forgotten; raw::none: not known.
    uint32_t take(uint64_t address);

  private:
    struct Block {
        uint64_t address;
        uint32_t site;
    };
    static uint32_t set_of(uint64_t address);

    Block blocks_[sets * per_set];
};

}  // namespace thalweg::recorder
