// recorder: the tables of one chunk, as the thread that owns it fills them.
#pragma once

#include <cstdint>

#include "abi/raw_format.h"

struct thalweg_place;

namespace thalweg::recorder {

// Which event stands behind a core's address, behind a list's site, or behind a name. Outside of the file: addresses mean nothing there.
struct EventKey {
    uint64_t key;  // 0: free
    uint64_t name;  // the name's address: a core that was made anew at an old address has another
    uint32_t event;
};
inline constexpr uint32_t first_keys = 256;
inline constexpr uint32_t keys_at_most = 1u << 20;

// Of an event, outside of the file: the others that were made at its place (the fields of an array, say), each an event of its own.
struct EventState {
    uint32_t first;  // of its place
    uint32_t next_free;
    uint32_t free_head;  // of the first: those whose core was deleted
};

// Where a chunk comes from and goes to.
struct ChunkSource {
    void *context = nullptr;
    // Zeroed, its header's first fields filled; null: there is none to be had.
    raw::Header *(*make)(void *context, uint32_t index, uint32_t generation, size_t bytes) = nullptr;
    void (*drop)(void *context, raw::Header *chunk) = nullptr;
};

// What the program's own code counts in: one of the chunk's two tables of slots, or one in which each dispatch (entry) asks.
using SlotsPointer = raw::Slot **;

struct Tables {
    raw::Header *header = nullptr;
    char *begins[raw::table_count] = {};  // of each table: where it is
    ChunkSource source;
    SlotsPointer counting[2] = {nullptr, nullptr};  // by raw::dispatch_slots, raw::entry_slots
    bool is_largest = false;  // no larger chunk was to be had
    EventKey *keys = nullptr;
    uint32_t key_capacity = 0;
    uint32_t key_count = 0;
    EventState *states = nullptr;  // as many as there are events at most

    template <class Entry>
    Entry *table(raw::Table which) const {
        return reinterpret_cast<Entry *>(begins[which]);
    }
    uint32_t capacity(raw::Table which) const { return header->capacity[which]; }
    raw::Slot *slots(raw::Table which) const { return table<raw::Slot>(which); }
    raw::Event *events() const { return table<raw::Event>(raw::events); }
    void use(raw::Header *chunk);
};

// A chunk with so many slots, and what is kept beside it. False: none to be had.
bool make_tables(Tables &tables, const ChunkSource &source, uint32_t index, uint32_t dispatch_slots,
                 uint32_t entry_slots);
// A table is full: all of them move into a larger chunk. False: it stays as it is.
bool grow(Tables &tables, raw::Table which);

// The event's index, or raw::none when the tables are full.
uint32_t intern_event(Tables &tables, uint64_t core, const char *name);
uint32_t intern_list(Tables &tables, uint32_t site);
// An event that is triggered at the site, named by the place where it was made; null: one that says nothing of it.
uint32_t intern_place(Tables &tables, uint32_t site, const thalweg_place *place);
// The event that this core is known as, or raw::none.
uint32_t known_event(const Tables &tables, uint64_t core);
void forget_event(Tables &tables, uint64_t core);

// How often, and for how many that were not noted: false when the table is full.
struct Weight {
    uint64_t noted;
    uint64_t estimated;
};
bool count_raise(Tables &tables, uint32_t event, uint32_t slot, uint32_t site, const Weight &weight);
// Of a dispatch that was counted: how long it took, and for how many it stands.
void count_time(Tables &tables, const raw::Raise &key, raw::Times raw::Raise::*times, double weight, int64_t time_ns);
bool count_edge(Tables &tables, const raw::Edge &edge, const Weight &weight);
bool count_nesting(Tables &tables, const raw::Nesting &nesting, const Weight &weight);
struct SequenceKey {
    uint32_t site;
    uint32_t event;
    uint32_t count;
    bool truncated;
    const raw::Target *targets;
};
bool count_sequence(Tables &tables, const SequenceKey &key, const Weight &weight);
// What is known of a place after one more note; null: the table is full.
raw::Fact *note_fact(Tables &tables, uint32_t place, uint32_t symbol, uint64_t bits);
void note_varying(raw::Fact &fact);
// The function's number for a raw::Target.
uint32_t intern_opaque(Tables &tables, uint64_t address);

}  // namespace thalweg::recorder
