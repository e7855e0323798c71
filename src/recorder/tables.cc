// recorder: the tables of one chunk, as the thread that owns it fills them.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE  // dladdr
#endif
#include "recorder/tables.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include <thalweg/abi.h>

#include "recorder/entry.h"

namespace thalweg::recorder {

namespace {

uint64_t list_key(uint32_t site) { return (uint64_t{site} << 1) | 1; }  // never a core's address: these are aligned

uint32_t key_slot(const Tables &tables, uint64_t key) {
    uint32_t at = static_cast<uint32_t>(mixed(key)) % key_capacity;
    while (tables.keys[at].key != 0 && tables.keys[at].key != key)
        at = (at + 1) % key_capacity;
    return at;
}

void copy_name(char *to, const char *from, uint32_t size) {
    uint32_t length = 0;
    while (length + 1 < size && from[length] != '\0') {
        to[length] = from[length];
        ++length;
    }
    to[length] = '\0';
}

bool same_name(const char *kept, const char *name) { return strncmp(kept, name, raw::name_size - 1) == 0; }

// An event that was deleted and made again under its name goes on as the same event. Rare: only at an event's first raise.
uint32_t event_of_name(const raw::Chunk &chunk, const char *name) {
    for (uint32_t i = 0; i < chunk.event_count; ++i)
        if (chunk.events[i].site == raw::none && same_name(chunk.events[i].name, name))
            return i;
    return raw::none;
}

uint32_t event_of_site(const raw::Chunk &chunk, uint32_t site) {
    for (uint32_t i = 0; i < chunk.event_count; ++i)
        if (chunk.events[i].site == site)
            return i;
    return raw::none;
}

uint32_t trigger_of_name(const raw::Chunk &chunk, uint32_t site, const char *name) {
    for (uint32_t i = 0; i < chunk.event_count; ++i)
        if (chunk.events[i].site == site && same_name(chunk.events[i].name, name))
            return i;
    return raw::none;
}

// "file:line"; of a path that is too long the end, which tells more.
void name_place(char (&name)[raw::name_size], const thalweg_place *place) {
    constexpr size_t room = raw::name_size - sizeof(":4294967295");
    const char *file = place != nullptr && place->file != nullptr ? place->file : "";
    const size_t length = strlen(file);
    snprintf(name, sizeof name, "%s:%u", length > room ? file + (length - room) : file,
             place != nullptr ? place->line : 0);
}

uint32_t new_event(raw::Chunk &chunk, uint32_t site, const char *name) {
    if (chunk.event_count == raw::event_capacity)
        return raw::none;
    const uint32_t index = chunk.event_count;
    raw::Event &event = chunk.events[index];
    event.site = site;
    copy_name(event.name, name, raw::name_size);
    publish(event.used);
    chunk.event_count = index + 1;
    return index;
}

// Room for one more key, so that a search always ends.
bool room_for_key(const Tables &tables) { return tables.key_count < key_capacity / 2; }

void set_key(Tables &tables, uint32_t slot, EventKey key) {
    if (tables.keys[slot].key == 0)
        ++tables.key_count;
    tables.keys[slot] = key;
}

uint64_t sequence_hash(const SequenceKey &key) {
    uint64_t hash = mixed(uint64_t{key.site} << 32 | key.event) + (key.truncated ? 1 : 0);
    for (uint32_t i = 0; i < key.count; ++i) {
        const raw::Target &target = key.targets[i];
        hash = mixed(hash ^ (uint64_t{target.function} << 32 | target.context));
        hash = mixed(hash ^ (target.context_offset << 8 ^ target.ordinal));
    }
    return hash;
}

bool same_targets(const raw::Target *left, const raw::Target *right, uint32_t count) {
    return memcmp(left, right, count * sizeof *left) == 0;
}

}  // namespace

uint32_t known_event(const Tables &tables, uint64_t core) {
    const EventKey &key = tables.keys[key_slot(tables, core)];
    return key.key == core ? key.event : raw::none;
}

uint32_t intern_event(Tables &tables, uint64_t core, const char *name) {
    const uint32_t slot = key_slot(tables, core);
    const uint64_t name_address = reinterpret_cast<uint64_t>(name);
    if (tables.keys[slot].key == core && tables.keys[slot].name == name_address)
        return tables.keys[slot].event;
    if (!room_for_key(tables))
        return raw::none;
    uint32_t event = event_of_name(*tables.chunk, name);
    if (event == raw::none)
        event = new_event(*tables.chunk, raw::none, name);
    if (event != raw::none)
        set_key(tables, slot, {core, name_address, event});
    return event;
}

uint32_t intern_list(Tables &tables, uint32_t site) {
    const uint64_t key = list_key(site);
    const uint32_t slot = key_slot(tables, key);
    if (tables.keys[slot].key == key)
        return tables.keys[slot].event;
    if (!room_for_key(tables))
        return raw::none;
    uint32_t event = event_of_site(*tables.chunk, site);
    if (event == raw::none)
        event = new_event(*tables.chunk, site, "");
    if (event != raw::none)
        set_key(tables, slot, {key, 0, event});
    return event;
}

uint32_t intern_place(Tables &tables, uint32_t site, const thalweg_place *place) {
    const auto key = reinterpret_cast<uint64_t>(place);
    const uint32_t slot = key_slot(tables, key);
    if (key != 0 && tables.keys[slot].key == key && tables.keys[slot].name == site)
        return tables.keys[slot].event;
    if (!room_for_key(tables))
        return raw::none;
    char name[raw::name_size];
    name_place(name, place);
    uint32_t event = trigger_of_name(*tables.chunk, site, name);
    if (event == raw::none)
        event = new_event(*tables.chunk, site, name);
    if (event != raw::none && key != 0)
        set_key(tables, slot, {key, site, event});
    return event;
}

void forget_event(Tables &tables, uint64_t core) {
    uint32_t hole = key_slot(tables, core);
    if (tables.keys[hole].key == 0)
        return;
    // Linear probing without tombstones: whoever was pushed past the hole moves back into it.
    for (uint32_t at = (hole + 1) % key_capacity; tables.keys[at].key != 0; at = (at + 1) % key_capacity) {
        const uint32_t home = static_cast<uint32_t>(mixed(tables.keys[at].key)) % key_capacity;
        const bool past_hole = (at - home) % key_capacity >= (at - hole) % key_capacity;
        if (!past_hole)
            continue;
        tables.keys[hole] = tables.keys[at];
        hole = at;
    }
    tables.keys[hole] = {0, 0, 0};
    --tables.key_count;
}

bool count_edge(raw::Chunk &chunk, const raw::Edge &edge, raw::Phase phase) {
    const uint64_t hash = mixed(uint64_t{edge.from} << 32 | edge.to << 2 | edge.mode);
    raw::Edge *entry = entry_for(
        chunk.edges, raw::edge_capacity, hash,
        [&](const raw::Edge &other) {
            return other.from == edge.from && other.to == edge.to && other.mode == edge.mode;
        },
        [&](raw::Edge &fresh) {
            fresh.from = edge.from;
            fresh.to = edge.to;
            fresh.mode = edge.mode;
            return true;
        });
    if (entry == nullptr)
        return false;
    ++entry->count[phase];
    return true;
}

bool count_nesting(raw::Chunk &chunk, const raw::Nesting &nesting, raw::Phase phase) {
    constexpr size_t key_size = offsetof(raw::Nesting, used);
    uint64_t hash = mixed(uint64_t{nesting.parent_event} << 32 | nesting.child_event);
    hash = mixed(hash ^ (uint64_t{nesting.parent_site} << 32 | nesting.child_site));
    hash = mixed(hash ^ (uint64_t{nesting.position} << 34 | uint64_t{nesting.handler} << 2 | nesting.mode));
    raw::Nesting *entry = entry_for(
        chunk.nestings, raw::nesting_capacity, hash,
        [&](const raw::Nesting &other) { return memcmp(&other, &nesting, key_size) == 0; },
        [&](raw::Nesting &fresh) {
            memcpy(&fresh, &nesting, key_size);
            return true;
        });
    if (entry == nullptr)
        return false;
    ++entry->count[phase];
    return true;
}

bool count_sequence(raw::Chunk &chunk, const SequenceKey &key, raw::Phase phase) {
    const uint64_t hash = sequence_hash(key);
    raw::Sequence *entry = entry_for(
        chunk.sequences, raw::sequence_capacity, hash,
        [&](const raw::Sequence &other) {
            return other.hash == hash && other.site == key.site && other.event == key.event &&
                   other.target_count == key.count && other.truncated == (key.truncated ? 1u : 0u) &&
                   same_targets(&chunk.targets[other.first_target], key.targets, key.count);
        },
        [&](raw::Sequence &fresh) {
            if (key.count > raw::target_capacity - chunk.target_count)
                return false;
            memcpy(&chunk.targets[chunk.target_count], key.targets, key.count * sizeof *key.targets);
            fresh.site = key.site;
            fresh.event = key.event;
            fresh.first_target = chunk.target_count;
            fresh.target_count = key.count;
            fresh.truncated = key.truncated ? 1 : 0;
            fresh.hash = hash;
            chunk.target_count += key.count;
            return true;
        });
    if (entry == nullptr)
        return false;
    ++entry->count[phase];
    return true;
}

uint32_t count_entry(raw::Chunk &chunk, uint32_t function, raw::Phase phase) {
    raw::Entry *entry = entry_for(
        chunk.entries, raw::entry_capacity, mixed(function + 1),
        [&](const raw::Entry &other) { return other.function == function; },
        [&](raw::Entry &fresh) {
            fresh.function = function;
            return true;
        });
    if (entry == nullptr)
        return raw::none;
    const uint64_t before = entry->count[raw::exact] + entry->count[raw::sampled];
    ++entry->count[phase];
    return before < raw::none ? static_cast<uint32_t>(before) : raw::none - 1;
}

void note_varying(raw::Fact &fact) {
    fact.varies = 1;
    fact.value_count = 0;
}

raw::Fact *note_fact(raw::Chunk &chunk, uint32_t place, uint32_t symbol, uint64_t bits) {
    raw::Fact *fact = entry_for(
        chunk.facts, raw::fact_capacity, mixed(place + 1), [&](const raw::Fact &other) { return other.place == place; },
        [&](raw::Fact &fresh) {
            fresh.place = place;
            return true;
        });
    if (fact == nullptr)
        return nullptr;
    ++fact->notes;
    for (uint32_t i = 0; i < fact->value_count; ++i)
        if (fact->values[i].bits == bits && fact->values[i].symbol == symbol) {
            ++fact->values[i].count;
            return fact;
        }
    if (fact->varies != 0)
        return fact;
    if (fact->value_count == raw::values_per_fact) {
        note_varying(*fact);
        return fact;
    }
    fact->values[fact->value_count] = {symbol, 0, bits, 1};
    __atomic_store_n(&fact->value_count, fact->value_count + 1, __ATOMIC_RELEASE);
    return fact;
}

uint32_t intern_opaque(raw::Chunk &chunk, uint64_t address) {
    for (uint32_t i = 0; i < chunk.opaque_count; ++i)
        if (chunk.opaques[i].address == address)
            return raw::opaque_bit | i;
    if (chunk.opaque_count == raw::opaque_capacity)
        return raw::none;
    raw::Opaque &opaque = chunk.opaques[chunk.opaque_count];
    Dl_info info{};
    const bool named = dladdr(reinterpret_cast<const void *>(address), &info) != 0 && info.dli_sname != nullptr &&
                       reinterpret_cast<uint64_t>(info.dli_saddr) == address;
    copy_name(opaque.name, named ? info.dli_sname : "", raw::opaque_name_size);
    opaque.address = address;
    return raw::opaque_bit | chunk.opaque_count++;
}

}  // namespace thalweg::recorder
