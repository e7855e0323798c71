// recorder: the tables of one chunk, as the thread that owns it fills them.
#pragma once

#include <cstdint>

#include "recorder/raw_format.h"

struct thalweg_place;

namespace thalweg::recorder {

// Which event stands behind a core's address, or behind a list's site. Outside of the file: addresses mean nothing there.
struct EventKey {
    uint64_t key;  // 0: free
    uint64_t name;  // the name's address: a core that was made anew at an old address has another
    uint32_t event;
};
inline constexpr uint32_t key_capacity = 4 * raw::event_capacity;

struct Tables {
    raw::Chunk *chunk = nullptr;
    EventKey *keys = nullptr;  // key_capacity of them
    uint32_t key_count = 0;
};

// The event's index, or raw::none when the tables are full.
uint32_t intern_event(Tables &tables, uint64_t core, const char *name);
uint32_t intern_list(Tables &tables, uint32_t site);
// An event that is triggered at the site, named by the place where it was made; null: one that says nothing of it.
uint32_t intern_place(Tables &tables, uint32_t site, const thalweg_place *place);
// The event that this core is known as, or raw::none.
uint32_t known_event(const Tables &tables, uint64_t core);
void forget_event(Tables &tables, uint64_t core);

// False: the table is full.
bool count_edge(raw::Chunk &chunk, const raw::Edge &edge, raw::Phase phase);
bool count_nesting(raw::Chunk &chunk, const raw::Nesting &nesting, raw::Phase phase);
struct SequenceKey {
    uint32_t site;
    uint32_t event;
    uint32_t count;
    bool truncated;
    const raw::Target *targets;
};
bool count_sequence(raw::Chunk &chunk, const SequenceKey &key, raw::Phase phase);
// How often the function was entered before; raw::none: the table is full.
uint32_t count_entry(raw::Chunk &chunk, uint32_t function, raw::Phase phase);
// What is known of a place after one more note; null: the table is full.
raw::Fact *note_fact(raw::Chunk &chunk, uint32_t place, uint32_t symbol, uint64_t bits);
void note_varying(raw::Fact &fact);
// The function's number for a raw::Target.
uint32_t intern_opaque(raw::Chunk &chunk, uint64_t address);

}  // namespace thalweg::recorder
