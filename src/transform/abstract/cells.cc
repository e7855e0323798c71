// transform: memory cells by object and offset; what may hit them is asked of LLVM's alias analyses.
#include "transform/abstract/cells.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ValueTracking.h"

namespace thalweg::transform::abstract {

using namespace llvm;

Known Cells::at(const Value &address, uint64_t size) const {
    int64_t offset = 0;
    const Value *base = GetPointerBaseWithConstantOffset(&address, offset, *layout_);
    const auto found = find_if(
        cells_, [&](const Cell &cell) { return cell.base == base && cell.offset == offset && cell.size == size; });
    return found == cells_.end() ? Known{} : found->value;
}

void Cells::put(const MemoryLocation &within, int64_t first, uint64_t size, const Known &value) {
    int64_t offset = 0;
    const Value *base = GetPointerBaseWithConstantOffset(within.Ptr, offset, *layout_);
    cells_.push_back({base, offset + first, size, within, value});
}

void Cells::store(const StoreInst &store, const Known &value) {
    const MemoryLocation place = MemoryLocation::get(&store);
    int64_t offset = 0;
    const Value *base = GetPointerBaseWithConstantOffset(place.Ptr, offset, *layout_);
    erase_if(cells_, [&](const Cell &cell) {
        const bool is_beside =
            cell.base == base && (cell.offset + static_cast<int64_t>(cell.size) <= offset ||
                                  offset + static_cast<int64_t>(place.Size.getValue()) <= cell.offset);
        return !is_beside && !aliases_->isNoAlias(place, cell.within);
    });
    if (value.range)
        put(place, 0, place.Size.getValue(), value);
}

void Cells::call(const CallBase &call) {
    erase_if(cells_, [&](const Cell &cell) { return isModSet(aliases_->getModRefInfo(&call, cell.within)); });
}

}  // namespace thalweg::transform::abstract
