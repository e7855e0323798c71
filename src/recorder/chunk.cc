// recorder: the chunk that a thread's tables are in, made and exchanged for a larger one.
#include <errno.h>
#include <string.h>

#include "recorder/entry.h"
#include "recorder/mapped_file.h"
#include "recorder/tables.h"

namespace thalweg::recorder {

namespace {

// A table that is full gets so many times its size: a program with many entries is at their number after a few steps.
constexpr uint32_t growth = 4;

template <class Entry>
bool move_entries(const Tables &from, const Tables &to, raw::Table which) {
    const Entry *entries = from.table<Entry>(which);
    for (uint32_t i = 0; i < from.capacity(which); ++i) {
        if (entries[i].used == 0)
            continue;
        const auto other = [](const Entry &) { return false; };
        const auto fill = [&](Entry &fresh) {
            fresh = entries[i];
            return true;
        };
        if (entry_in(to.table<Entry>(which), to.capacity(which), hash_of(entries[i]), other, fill) == nullptr)
            return false;
    }
    return true;
}

// False: more entries have the same place than one is looked for at.
bool move_grown(const Tables &from, const Tables &to, raw::Table which) {
    switch (which) {
    case raw::raises:
        return move_entries<raw::Raise>(from, to, which);
    case raw::edges:
        return move_entries<raw::Edge>(from, to, which);
    case raw::sequences:
        return move_entries<raw::Sequence>(from, to, which);
    case raw::nestings:
        return move_entries<raw::Nesting>(from, to, which);
    case raw::facts:
        return move_entries<raw::Fact>(from, to, which);
    case raw::system_calls:
        return move_entries<raw::SystemCall>(from, to, which);
    case raw::system_call_edges:
        return move_entries<raw::SystemCallEdge>(from, to, which);
    case raw::releases:
        return move_entries<raw::Release>(from, to, which);
    default:
        memcpy(to.table<char>(which), from.table<char>(which),
               size_t{from.capacity(which)} * raw::table_sizes[which].entry_bytes);
        return true;
    }
}

bool move_tables(const Tables &from, const Tables &to) {
    for (uint32_t i = 0; i < raw::table_count; ++i) {
        const auto which = static_cast<raw::Table>(i);
        const size_t bytes = size_t{from.capacity(which)} * raw::table_sizes[which].entry_bytes;
        if (from.capacity(which) != to.capacity(which)) {
            if (!move_grown(from, to, which))
                return false;
        } else if (bytes != 0) {
            memcpy(to.table<char>(which), from.table<char>(which), bytes);
        }
    }
    return true;
}

void take_header(const raw::Header &from, raw::Header &to) {
    to.event_count = from.event_count;
    to.target_count = from.target_count;
    to.opaque_count = from.opaque_count;
    to.threads = from.threads;
    to.recorded = from.recorded;
    to.lost = from.lost;
    to.unfinished = from.unfinished;
    to.failure = from.failure;
}

// From here on a reader takes the chunk for whole.
void make_ready(raw::Header &header) { __atomic_store_n(&header.magic, raw::magic, __ATOMIC_RELEASE); }

raw::Header *larger_chunk(const Tables &tables, const uint32_t (&capacity)[raw::table_count]) {
    const raw::Header &old = *tables.header;
    raw::Header *header = tables.source.make(tables.source.context, old.chunk_index, old.generation + 1,
                                             raw::offset_of(capacity, raw::table_count));
    if (header != nullptr)
        memcpy(header->capacity, capacity, sizeof capacity);
    return header;
}

}  // namespace

void Tables::use(raw::Header *chunk) {
    header = chunk;
    for (uint32_t i = 0; i < raw::table_count; ++i)
        begins[i] = reinterpret_cast<char *>(chunk) + raw::offset_of(chunk->capacity, i);
}

bool make_tables(Tables &tables, const ChunkSource &source, uint32_t index, uint32_t dispatch_slots,
                 uint32_t entry_slots) {
    uint32_t capacity[raw::table_count];
    for (uint32_t i = 0; i < raw::table_count; ++i)
        capacity[i] = raw::table_sizes[i].first;
    capacity[raw::dispatch_slots] = dispatch_slots;
    capacity[raw::entry_slots] = entry_slots;
    tables.source = source;
    tables.keys = static_cast<EventKey *>(map_memory(first_keys * sizeof(EventKey)));
    tables.key_capacity = first_keys;
    // Of zeroed memory only what is used takes room.
    tables.states = static_cast<EventState *>(map_memory(raw::table_sizes[raw::events].most * sizeof(EventState)));
    if (tables.keys == nullptr || tables.states == nullptr)
        return false;
    raw::Header *chunk = source.make(source.context, index, 0, raw::offset_of(capacity, raw::table_count));
    if (chunk == nullptr)
        return false;
    memcpy(chunk->capacity, capacity, sizeof capacity);
    tables.use(chunk);
    make_ready(*chunk);
    return true;
}

bool grow(Tables &tables, raw::Table which) {
    const int problem = errno;  // the program's own, which it may yet ask for
    Tables larger = tables;
    bool moved = false;
    uint32_t capacity[raw::table_count];
    memcpy(capacity, tables.header->capacity, sizeof capacity);
    while (!moved && !tables.is_largest && capacity[which] < raw::table_sizes[which].most) {
        const uint32_t left = raw::table_sizes[which].most / growth;
        capacity[which] = capacity[which] > left ? raw::table_sizes[which].most : capacity[which] * growth;
        raw::Header *chunk = larger_chunk(tables, capacity);
        tables.is_largest = chunk == nullptr;
        if (tables.is_largest)
            break;
        larger.use(chunk);
        moved = move_tables(tables, larger);
        if (!moved)
            tables.source.drop(tables.source.context, larger.header);
    }
    if (moved) {
        take_header(*tables.header, *larger.header);
        constexpr raw::Table slot_tables[] = {raw::dispatch_slots, raw::entry_slots};
        for (const raw::Table slots : slot_tables)
            if (tables.counting[slots] != nullptr && *tables.counting[slots] == tables.slots(slots))
                *tables.counting[slots] = larger.slots(slots);
        make_ready(*larger.header);
        tables.source.drop(tables.source.context, tables.header);
        tables.use(larger.header);
    }
    errno = problem;
    return moved;
}

}  // namespace thalweg::recorder
