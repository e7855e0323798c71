// recorder: from an address to the program's symbol that holds it.
#include "recorder/symbols.h"

#include <stdlib.h>

#include "abi/probe.h"
#include "abi/raw_format.h"
#include "recorder/mapped_file.h"

// A program without a dispatch site has no symbol list.
extern "C" {
extern __attribute__((weak)) const thalweg_probe_symbol thalweg_probe_symbols[];
extern __attribute__((weak)) const uint64_t thalweg_probe_symbol_count;
}

namespace thalweg::recorder {

namespace {

int by_address(const void *left, const void *right) {
    const auto *a = static_cast<const SymbolEntry *>(left);
    const auto *b = static_cast<const SymbolEntry *>(right);
    if (a->address != b->address)
        return a->address < b->address ? -1 : 1;
    return a->id < b->id ? -1 : (a->id > b->id ? 1 : 0);
}

}  // namespace

bool SymbolMap::build() {
    if (&thalweg_probe_symbol_count == nullptr || thalweg_probe_symbol_count == 0)
        return true;
    const uint64_t count = thalweg_probe_symbol_count;
    entries_ = static_cast<SymbolEntry *>(map_memory(count * sizeof(SymbolEntry)));
    if (entries_ == nullptr)
        return false;
    for (uint64_t i = 0; i < count; ++i)
        entries_[i] = {reinterpret_cast<uint64_t>(thalweg_probe_symbols[i].address), thalweg_probe_symbols[i].size,
                       static_cast<uint32_t>(i)};
    qsort(entries_, count, sizeof *entries_, by_address);
    count_ = count;
    return true;
}

Place SymbolMap::find(uint64_t address) const {
    // The last entry that does not begin behind the address. Of several at one address the first by id: they are
    // the same code under several names.
    uint64_t low = 0;
    uint64_t high = count_;
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        if (entries_[middle].address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0 || address == 0)
        return {raw::none, 0};
    uint64_t index = low - 1;
    while (index > 0 && entries_[index - 1].address == entries_[index].address)
        --index;
    const SymbolEntry &entry = entries_[index];
    const uint64_t offset = address - entry.address;
    if (offset != 0 && offset >= entry.size)
        return {raw::none, 0};
    return {entry.id, offset};
}

}  // namespace thalweg::recorder
