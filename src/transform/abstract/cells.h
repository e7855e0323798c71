// transform: what memory holds on one way: what was written there and can't have been written over since.
#pragma once

#include <vector>

#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/MemoryLocation.h"
#include "llvm/IR/Instructions.h"

#include "transform/abstract/known.h"

namespace thalweg::transform::abstract {

class Cells {
  public:
    Cells(llvm::AAResults &aliases, const llvm::DataLayout &layout) : aliases_(&aliases), layout_(&layout) {}

    // What so many bytes at the address hold, if that is what was written there at once.
    Known at(const llvm::Value &address, uint64_t size) const;
    // `within` holds the value in `size` bytes from its byte `first` on.
    void put(const llvm::MemoryLocation &within, int64_t first, uint64_t size, const Known &value);
    // What may be hit is not known any more.
    void store(const llvm::StoreInst &store, const Known &value);
    void call(const llvm::CallBase &call);

  private:
    struct Cell {
        const llvm::Value *base;
        int64_t offset;
        uint64_t size;
        llvm::MemoryLocation within;
        Known value;
    };
    llvm::AAResults *aliases_;
    const llvm::DataLayout *layout_;
    std::vector<Cell> cells_;
};

}  // namespace thalweg::transform::abstract
