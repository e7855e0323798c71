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
#include "recorder/mapped_file.h"

namespace thalweg::recorder {

namespace {

uint64_t list_key(uint32_t site) { return (uint64_t{site} << 1) | 1; }  // never a core's address: these are aligned

// A name's key among those of cores and lists; two names with the same one are told apart by their text.
uint64_t name_key(const char *name, uint64_t kind) {
    uint64_t hash = mixed(kind);
    for (uint32_t i = 0; i < raw::name_size - 1 && name[i] != '\0'; ++i)
        hash = mixed(hash ^ static_cast<uint64_t>(static_cast<unsigned char>(name[i])));
    return hash | 1;
}

uint32_t key_slot(const Tables &tables, uint64_t key) {
    uint32_t at = static_cast<uint32_t>(mixed(key)) % tables.key_capacity;
    while (tables.keys[at].key != 0 && tables.keys[at].key != key)
        at = (at + 1) % tables.key_capacity;
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

// "file:line"; of a path that is too long the end, which tells more.
void name_place(char (&name)[raw::name_size], const thalweg_place *place) {
    constexpr size_t room = raw::name_size - sizeof(":4294967295");
    const char *file = place != nullptr && place->file != nullptr ? place->file : "";
    const size_t length = strlen(file);
    snprintf(name, sizeof name, "%s:%u", length > room ? file + (length - room) : file,
             place != nullptr ? place->line : 0);
}

uint32_t new_event(Tables &tables, uint32_t site, const char *name) {
    if (tables.header->event_count == tables.capacity(raw::events) && !grow(tables, raw::events))
        return raw::none;
    const uint32_t index = tables.header->event_count;
    raw::Event &event = tables.events()[index];
    event.site = site;
    copy_name(event.name, name, raw::name_size);
    publish(event.used);
    tables.header->event_count = index + 1;
    tables.states[index] = {index, raw::none, raw::none};
    return index;
}

// Room for one more key, so that a search always ends.
bool room_for_key(Tables &tables) {
    if (tables.key_count < tables.key_capacity / 2)
        return true;
    if (tables.key_capacity >= keys_at_most)
        return false;
    const size_t bytes = size_t{tables.key_capacity} * sizeof(EventKey);
    auto *keys = static_cast<EventKey *>(map_memory(4 * bytes));
    if (keys == nullptr)
        return false;
    const EventKey *old = tables.keys;
    const uint32_t count = tables.key_capacity;
    tables.keys = keys;
    tables.key_capacity = 4 * count;
    for (uint32_t i = 0; i < count; ++i)
        if (old[i].key != 0)
            keys[key_slot(tables, old[i].key)] = old[i];
    unmap_memory(const_cast<EventKey *>(old), bytes);
    return true;
}

bool set_key(Tables &tables, EventKey key) {
    if (!room_for_key(tables))
        return false;
    const uint32_t slot = key_slot(tables, key.key);
    if (tables.keys[slot].key == 0)
        ++tables.key_count;
    tables.keys[slot] = key;
    return true;
}

const EventKey *find_key(const Tables &tables, uint64_t key) {
    const EventKey &found = tables.keys[key_slot(tables, key)];
    return found.key == key ? &found : nullptr;
}

// The first event of this name and site, or a new one.
uint32_t event_of_name(Tables &tables, uint32_t site, const char *name, bool &is_new) {
    uint64_t key = name_key(name, site);
    for (const EventKey *found = nullptr; (found = find_key(tables, key)) != nullptr; key += 2) {
        const raw::Event &event = tables.events()[found->event];
        if (event.site == site && same_name(event.name, name))
            return found->event;
    }
    is_new = true;
    const uint32_t event = new_event(tables, site, name);
    if (event != raw::none)
        set_key(tables, {key, 0, event});
    return event;
}

// "file:line", as the runtime names an event that the program gave no name (thalweg_event_info_head).
bool is_of_a_place(const char *name) {
    const char *colon = strrchr(name, ':');
    return colon != nullptr && colon[1] != '\0' && strspn(colon + 1, "0123456789") == strlen(colon + 1);
}

// One more event that was made where `first` was.
uint32_t another_of_place(Tables &tables, uint32_t first, uint64_t core, const char *name) {
    EventState &of_place = tables.states[first];
    if (const uint32_t freed = of_place.free_head; freed != raw::none) {
        of_place.free_head = tables.states[freed].next_free;
        return freed;
    }
    const uint32_t event = new_event(tables, raw::none, name);
    if (event == raw::none)
        return raw::none;
    tables.states[event].first = first;
    tables.events()[event].address = core;
    return event;
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

void add(uint64_t (&count)[raw::part_count], const Weight &weight) {
    count[raw::noted] += weight.noted;
    count[raw::estimated] += weight.estimated;
}

bool same_targets(const raw::Target *left, const raw::Target *right, uint32_t count) {
    return memcmp(left, right, count * sizeof *left) == 0;
}

}  // namespace

uint64_t hash_of(const raw::Raise &entry) { return mixed(uint64_t{entry.event} << 32 | entry.slot); }

uint64_t hash_of(const raw::Edge &entry) { return mixed(uint64_t{entry.from} << 32 | entry.to << 2 | entry.mode); }

uint64_t hash_of(const raw::Nesting &nesting) {
    uint64_t hash = mixed(uint64_t{nesting.parent_event} << 32 | nesting.child_event);
    hash = mixed(hash ^ (uint64_t{nesting.parent_site} << 32 | nesting.child_site));
    return mixed(hash ^ (uint64_t{nesting.position} << 34 | uint64_t{nesting.handler} << 2 | nesting.mode));
}

uint64_t hash_of(const raw::Sequence &entry) { return entry.hash; }

uint64_t hash_of(const raw::Fact &entry) { return mixed(entry.place + 1); }

uint32_t known_event(const Tables &tables, uint64_t core) {
    const EventKey *known = find_key(tables, core);
    return known != nullptr ? known->event : raw::none;
}

// An event that was deleted and made again under its name goes on as the same event. Rare: only at an event's first raise.
uint32_t intern_event(Tables &tables, uint64_t core, const char *name) {
    const EventKey *known = find_key(tables, core);
    const uint64_t name_address = reinterpret_cast<uint64_t>(name);
    if (known != nullptr && known->name == name_address)
        return known->event;
    if (!room_for_key(tables))
        return raw::none;
    bool is_new = false;
    uint32_t event = event_of_name(tables, raw::none, name, is_new);
    if (event == raw::none)
        return raw::none;
    if (is_new)
        tables.events()[event].address = is_of_a_place(name) ? core : 0;
    else if (tables.events()[event].address != 0)
        event = another_of_place(tables, event, core, name);
    return event != raw::none && set_key(tables, {core, name_address, event}) ? event : raw::none;
}

uint32_t intern_list(Tables &tables, uint32_t site) {
    const uint64_t key = list_key(site);
    if (const EventKey *known = find_key(tables, key))
        return known->event;
    if (!room_for_key(tables))
        return raw::none;
    const uint32_t event = new_event(tables, site, "");
    return event != raw::none && set_key(tables, {key, 0, event}) ? event : raw::none;
}

uint32_t intern_place(Tables &tables, uint32_t site, const thalweg_place *place) {
    const auto key = reinterpret_cast<uint64_t>(place);
    if (key != 0)
        if (const EventKey *known = find_key(tables, key); known != nullptr && known->name == site)
            return known->event;
    if (!room_for_key(tables))
        return raw::none;
    char name[raw::name_size];
    name_place(name, place);
    bool is_new = false;
    const uint32_t event = event_of_name(tables, site, name, is_new);
    if (event != raw::none && key != 0)
        set_key(tables, {key, site, event});
    return event;
}

void forget_event(Tables &tables, uint64_t core) {
    const uint32_t size = tables.key_capacity;
    uint32_t hole = key_slot(tables, core);
    if (tables.keys[hole].key == 0)
        return;
    const uint32_t event = tables.keys[hole].event;
    if (event < tables.header->event_count && tables.events()[event].address != 0) {
        EventState &of_place = tables.states[tables.states[event].first];
        tables.states[event].next_free = of_place.free_head;
        of_place.free_head = event;
    }
    // Linear probing without tombstones: whoever was pushed past the hole moves back into it.
    for (uint32_t at = (hole + 1) % size; tables.keys[at].key != 0; at = (at + 1) % size) {
        const uint32_t home = static_cast<uint32_t>(mixed(tables.keys[at].key)) % size;
        const bool past_hole = (at - home) % size >= (at - hole) % size;
        if (!past_hole)
            continue;
        tables.keys[hole] = tables.keys[at];
        hole = at;
    }
    tables.keys[hole] = {0, 0, 0};
    --tables.key_count;
}

bool count_raise(Tables &tables, uint32_t event, uint32_t slot, uint32_t site, const Weight &weight) {
    const raw::Raise wanted{event, slot, site, 0, {}, {}, {}};
    raw::Raise *entry = entry_for<raw::Raise>(
        tables, raw::raises, hash_of(wanted),
        [&](const raw::Raise &other) { return other.event == event && other.slot == slot; },
        [&](raw::Raise &fresh) {
            fresh.event = event;
            fresh.slot = slot;
            fresh.site = site;
            return true;
        });
    if (entry == nullptr)
        return false;
    add(entry->count, weight);
    return true;
}

void count_time(Tables &tables, const raw::Raise &key, raw::Times raw::Raise::*times, double weight, int64_t time_ns) {
    raw::Raise *entry = entry_in(
        tables.table<raw::Raise>(raw::raises), tables.capacity(raw::raises), hash_of(key),
        [&](const raw::Raise &other) { return other.event == key.event && other.slot == key.slot; },
        [](raw::Raise &) { return false; });
    if (entry == nullptr)
        return;
    (entry->*times).add(weight, static_cast<double>(time_ns));
}

bool count_edge(Tables &tables, const raw::Edge &edge, const Weight &weight) {
    raw::Edge *entry = entry_for<raw::Edge>(
        tables, raw::edges, hash_of(edge),
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
    add(entry->count, weight);
    return true;
}

bool count_nesting(Tables &tables, const raw::Nesting &nesting, const Weight &weight) {
    constexpr size_t key_size = offsetof(raw::Nesting, used);
    raw::Nesting *entry = entry_for<raw::Nesting>(
        tables, raw::nestings, hash_of(nesting),
        [&](const raw::Nesting &other) { return memcmp(&other, &nesting, key_size) == 0; },
        [&](raw::Nesting &fresh) {
            memcpy(&fresh, &nesting, key_size);
            return true;
        });
    if (entry == nullptr)
        return false;
    add(entry->count, weight);
    return true;
}

bool count_sequence(Tables &tables, const SequenceKey &key, const Weight &weight) {
    const uint64_t hash = sequence_hash(key);
    const auto room = [&] { return tables.capacity(raw::targets) - tables.header->target_count; };
    while (room() < key.count && grow(tables, raw::targets)) {
    }
    raw::Sequence *entry = entry_for<raw::Sequence>(
        tables, raw::sequences, hash,
        [&](const raw::Sequence &other) {
            return other.hash == hash && other.site == key.site && other.event == key.event &&
                   other.target_count == key.count && other.truncated == (key.truncated ? 1u : 0u) &&
                   same_targets(tables.table<raw::Target>(raw::targets) + other.first_target, key.targets, key.count);
        },
        [&](raw::Sequence &fresh) {
            raw::Header &header = *tables.header;
            if (room() < key.count)
                return false;
            memcpy(tables.table<raw::Target>(raw::targets) + header.target_count, key.targets,
                   key.count * sizeof *key.targets);
            fresh.site = key.site;
            fresh.event = key.event;
            fresh.first_target = header.target_count;
            fresh.target_count = key.count;
            fresh.truncated = key.truncated ? 1 : 0;
            fresh.hash = hash;
            header.target_count += key.count;
            return true;
        });
    if (entry == nullptr)
        return false;
    add(entry->count, weight);
    return true;
}

void note_varying(raw::Fact &fact) {
    fact.varies = 1;
    fact.value_count = 0;
}

raw::Fact *note_fact(Tables &tables, uint32_t place, uint32_t symbol, uint64_t bits) {
    raw::Fact *fact = entry_for<raw::Fact>(
        tables, raw::facts, mixed(place + 1), [&](const raw::Fact &other) { return other.place == place; },
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

namespace {

const void *base_of(const void *address) {
    Dl_info info{};
    return dladdr(address, &info) == 0 ? nullptr : info.dli_fbase;
}

// As the dynamic linker knows it; else, in another object than this, by its place there: "mod_access.so+0x1a30". What the program made while it ran has
// no name, nor has what is in this object, whose places are others in the program.
void name_opaque(raw::Opaque &opaque) {
    Dl_info info{};
    if (dladdr(reinterpret_cast<const void *>(opaque.address), &info) == 0)
        return;
    if (info.dli_sname != nullptr && reinterpret_cast<uint64_t>(info.dli_saddr) == opaque.address)
        return copy_name(opaque.name, info.dli_sname, raw::opaque_name_size);
    if (info.dli_fname == nullptr || info.dli_fbase == base_of(reinterpret_cast<const void *>(&name_opaque)))
        return;
    const char *slash = strrchr(info.dli_fname, '/');
    const uint64_t offset = opaque.address - reinterpret_cast<uint64_t>(info.dli_fbase);
    snprintf(opaque.name, sizeof opaque.name, "%.90s+0x%llx", slash == nullptr ? info.dli_fname : slash + 1,
             static_cast<unsigned long long>(offset));
}

}  // namespace

uint32_t intern_opaque(Tables &tables, uint64_t address) {
    const auto opaques = [&] { return tables.table<raw::Opaque>(raw::opaques); };
    for (uint32_t i = 0; i < tables.header->opaque_count; ++i)
        if (opaques()[i].address == address)
            return raw::opaque_bit | i;
    if (tables.header->opaque_count == tables.capacity(raw::opaques) && !grow(tables, raw::opaques))
        return raw::none;
    raw::Opaque &opaque = opaques()[tables.header->opaque_count];
    opaque.address = address;
    name_opaque(opaque);
    return raw::opaque_bit | tables.header->opaque_count++;
}

}  // namespace thalweg::recorder
