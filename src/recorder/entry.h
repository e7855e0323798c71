// recorder: a place in one of a chunk's tables, found by its key.
#pragma once

#include <cstdint>

#include "recorder/tables.h"

namespace thalweg::recorder {

// How far from its place an entry may lie; beyond it the table counts as full.
inline constexpr uint32_t probes_at_most = 32;

inline uint64_t mixed(uint64_t value) {
    value ^= value >> 33;
    value *= 0xff51afd7ed558ccdull;
    value ^= value >> 33;
    value *= 0xc4ceb9fe1a85ec53ull;
    return value ^ (value >> 33);
}

// The process may be killed between any two stores: a reader must see an entry whole or not at all.
inline void publish(uint32_t &used) { __atomic_store_n(&used, 1u, __ATOMIC_RELEASE); }

// Where each kind of entry belongs in its table.
uint64_t hash_of(const raw::Raise &entry);
uint64_t hash_of(const raw::Edge &entry);
uint64_t hash_of(const raw::Nesting &entry);
uint64_t hash_of(const raw::Sequence &entry);
uint64_t hash_of(const raw::Fact &entry);
uint64_t hash_of(const raw::SystemCall &entry);
uint64_t hash_of(const raw::SystemCallEdge &entry);
uint64_t hash_of(const raw::Release &entry);

// An open-addressing look-up: `same` tells the entry, `fill` writes a free one; null when the table is full there.
template <class Entry, class Same, class Fill>
Entry *entry_in(Entry *entries, uint32_t capacity, uint64_t hash, Same same, Fill fill) {
    uint32_t at = static_cast<uint32_t>(hash) % capacity;
    for (uint32_t i = 0; i < probes_at_most; ++i, at = (at + 1) % capacity) {
        Entry &entry = entries[at];
        if (entry.used == 0) {
            if (!fill(entry))
                return nullptr;
            publish(entry.used);
            return &entry;
        }
        if (same(entry))
            return &entry;
    }
    return nullptr;
}

// The same in a table that grows. What `same` and `fill` point to in the chunk, they must ask the tables for each time.
template <class Entry, class Same, class Fill>
Entry *entry_for(Tables &tables, raw::Table which, uint64_t hash, Same same, Fill fill) {
    while (true) {
        Entry *entry = entry_in(tables.table<Entry>(which), tables.capacity(which), hash, same, fill);
        if (entry != nullptr || !grow(tables, which))
            return entry;
    }
}

}  // namespace thalweg::recorder
