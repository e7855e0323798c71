// recorder: chunks in plain memory, for tests.
#pragma once

#include <cstdlib>
#include <vector>

#include "recorder/tables.h"

namespace thalweg::recorder {

struct MemoryChunks {
    std::vector<raw::Header *> made;
    size_t most = SIZE_MAX;  // so many are to be had
    uint32_t dropped = 0;

    MemoryChunks() = default;
    MemoryChunks(const MemoryChunks &) = delete;
    MemoryChunks &operator=(const MemoryChunks &) = delete;
    ~MemoryChunks() {
        for (raw::Header *chunk : made)
            std::free(chunk);
    }
    ChunkSource source() { return {this, make, drop}; }

  private:
    static raw::Header *make(void *context, uint32_t index, uint32_t generation, size_t bytes) {
        auto &chunks = *static_cast<MemoryChunks *>(context);
        if (chunks.made.size() >= chunks.most)
            return nullptr;
        auto *header = static_cast<raw::Header *>(std::calloc(1, bytes));
        header->version = raw::version;
        header->kind = raw::chunk_file;
        header->file_size = bytes;
        header->chunk_index = index;
        header->generation = generation;
        chunks.made.push_back(header);
        return header;
    }
    // Its memory stays: a test may look at it.
    static void drop(void *context, raw::Header *) { ++static_cast<MemoryChunks *>(context)->dropped; }
};

// Of a table, the entries that are there.
template <class Entry>
std::vector<Entry> used_in(const Tables &tables, raw::Table which) {
    std::vector<Entry> found;
    for (uint32_t i = 0; i < tables.capacity(which); ++i)
        if (tables.table<Entry>(which)[i].used != 0)
            found.push_back(tables.table<Entry>(which)[i]);
    return found;
}

}  // namespace thalweg::recorder
