// recorder: from an address to the program's symbol that holds it.
#pragma once

#include <cstdint>

namespace thalweg::recorder {

struct Place {
    uint32_t symbol;  // raw::none: in no symbol
    uint64_t offset;
};

struct SymbolEntry {
    uint64_t address;
    uint64_t size;
    uint32_t id;
};

// Sorted once at start-up; read by all threads afterwards.
class SymbolMap {
  public:
    // False when there is no memory for it: every address is then in no symbol.
    bool build();
    Place find(uint64_t address) const;
    uint64_t count() const { return count_; }

  private:
    SymbolEntry *entries_ = nullptr;
    uint64_t count_ = 0;
};

}  // namespace thalweg::recorder
