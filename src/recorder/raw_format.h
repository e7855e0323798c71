// recorder: the bytes that the recorder writes and that `record` reads. docs/formats/raw-record.md says it in words.
#pragma once

#include <cstddef>
#include <cstdint>

namespace thalweg::raw {

// The environment variable that names the folder for the files, and the marker file in it that asks for all dispatches.
inline constexpr char directory_variable[] = "THALWEG_RECORD_DIR";
inline constexpr char exact_marker[] = "exact";
inline constexpr char file_ending[] = ".raw";

inline constexpr uint64_t magic = 0x31574152474c4854;  // "THLGRAW1" as bytes
inline constexpr uint32_t version = 4;
inline constexpr uint32_t none = UINT32_MAX;
// A function that is in no symbol list: this bit and an index into the chunk's opaque table.
inline constexpr uint32_t opaque_bit = 0x80000000;

// Sizes of a chunk's tables. A program has some dozens of events; a table that is full costs only `lost`.
inline constexpr uint32_t event_capacity = 1024;
inline constexpr uint32_t edge_capacity = 4096;
inline constexpr uint32_t sequence_capacity = 4096;
inline constexpr uint32_t target_capacity = 32768;
inline constexpr uint32_t nesting_capacity = 4096;
inline constexpr uint32_t opaque_capacity = 256;
inline constexpr uint32_t entry_capacity = 4096;
inline constexpr uint32_t fact_capacity = 8192;
inline constexpr uint32_t system_call_capacity = 2048;
inline constexpr uint32_t system_call_edge_capacity = 8192;
inline constexpr uint32_t release_capacity = 256;
// A place of generic code with more values than these varies.
inline constexpr uint32_t values_per_fact = 4;
// Longer lists are noted as truncated: nobody merges more handlers than these into one function.
inline constexpr uint32_t targets_per_sequence = 64;
inline constexpr uint32_t name_size = 96;
inline constexpr uint32_t opaque_name_size = 120;

// Two counts: of dispatches in the time when every one was noted, and of dispatches in later samples.
enum Phase : uint32_t { exact = 0, sampled = 1, phase_count = 2 };
enum Kind : uint32_t { process_file = 0, chunk_file = 1 };

struct Event {
    uint64_t raises[phase_count];
    uint64_t binding_changes;
    uint32_t used;
    uint32_t
        site;  // of a list, a wait or a trigger; `none` for an event of the runtime. That and what is triggered have names
    char name[name_size];
};

struct Edge {
    uint32_t from;
    uint32_t to;
    uint32_t mode;
    uint32_t used;
    uint64_t count[phase_count];
};

struct Target {
    uint32_t function;  // symbol, opaque, or none
    uint32_t context;  // symbol or none
    uint64_t context_offset;
    uint32_t ordinal;
    uint32_t reserved;
};

struct Sequence {
    uint32_t site;
    uint32_t event;
    uint32_t first_target;
    uint32_t target_count;
    uint32_t truncated;
    uint32_t used;
    uint64_t hash;
    uint64_t count[phase_count];
};

struct Nesting {
    uint32_t parent_event;
    uint32_t parent_site;
    uint32_t position;
    uint32_t handler;  // symbol, opaque, or none
    uint32_t child_event;
    uint32_t child_site;
    uint32_t mode;
    uint32_t used;
    uint64_t count[phase_count];
};

struct Opaque {
    uint64_t address;
    char name[opaque_name_size];
};

// A function with generic code, by its number in the site table's list.
struct Entry {
    uint32_t function;
    uint32_t used;
    uint64_t count[phase_count];
};

struct FactValue {
    uint32_t symbol;  // none: a number
    uint32_t reserved;
    uint64_t bits;  // the number, or the offset in the symbol
    uint64_t count;
};

// What was noted at one place of generic code, by its number in the site table's list.
struct Fact {
    uint32_t place;
    uint32_t used;
    uint32_t value_count;
    uint32_t varies;
    uint64_t notes;
    FactValue values[values_per_fact];
};

// What was counted of a site of kind call: all of its calls, in one phase only.
struct SystemCall {
    uint32_t site;
    uint32_t used;
    uint64_t calls;
    uint64_t errors;
    uint64_t zeros;
    uint64_t shorts;
    uint64_t asked_bytes;
    uint64_t given_bytes;
    uint64_t timed;
    uint64_t inside_ns;
};

struct SystemCallEdge {
    uint32_t from;
    uint32_t to;
    uint64_t weight;
    uint64_t same_descriptor;
    uint64_t same_buffer;
    uint64_t result_is_size;
    uint64_t adjacent;
    uint64_t timed;
    uint64_t between_ns;
    uint64_t least_ns;
    uint32_t used;
    uint32_t reserved;
};

// A large block that was given at one site and given back at another.
struct Release {
    uint32_t from;
    uint32_t to;
    uint64_t count;
    uint32_t used;
    uint32_t reserved;
};

struct Header {
    uint64_t magic;  // written last: a file without it was never ready
    uint32_t version;
    uint32_t kind;
    uint64_t file_size;
    uint64_t process_start_ns;  // with the pid: which process
    uint32_t pid;
    uint32_t chunk_index;
    uint64_t symbol_count;  // of the program's symbol list
    uint64_t guard_count;  // process file: pairs of uint64_t behind the header
    uint64_t threads;  // chunk: threads that used it, one after the other
    uint64_t threads_without_chunk;  // process file: threads of which nothing is known
    uint64_t recorded[phase_count];
    uint64_t skipped;  // dispatches between the samples
    uint64_t open_gap;  // length of the gap that was begun and not yet counted in `skipped`
    uint64_t lost;  // did not fit a table, or came while the recorder was at work
    uint64_t unfinished;  // dispatches left by an exception; they have no sequence
    uint64_t failure;  // errno of what ended the recording early, 0: nothing did
    uint64_t entered[phase_count];  // entries of functions with generic code that were counted
    uint64_t entries_skipped;  // between the samples
    uint64_t entries_open_gap;
};

// One chunk: what one thread at a time writes.
struct Chunk {
    Header header;
    uint32_t event_count;
    uint32_t target_count;
    uint32_t opaque_count;
    uint32_t reserved;
    Event events[event_capacity];
    Edge edges[edge_capacity];
    Sequence sequences[sequence_capacity];
    Target targets[target_capacity];
    Nesting nestings[nesting_capacity];
    Opaque opaques[opaque_capacity];
    Entry entries[entry_capacity];
    Fact facts[fact_capacity];
    SystemCall system_calls[system_call_capacity];
    SystemCallEdge system_call_edges[system_call_edge_capacity];
    Release releases[release_capacity];
};

static_assert(sizeof(Header) == 160 && offsetof(Header, skipped) == 88);
static_assert(sizeof(Event) == 128 && sizeof(Edge) == 32 && sizeof(Target) == 24 && sizeof(Sequence) == 48);
static_assert(sizeof(Nesting) == 48 && sizeof(Opaque) == 128 && offsetof(Chunk, events) == 176);
static_assert(sizeof(Entry) == 24 && sizeof(FactValue) == 24 && sizeof(Fact) == 120);
static_assert(sizeof(SystemCall) == 72 && sizeof(SystemCallEdge) == 80 && sizeof(Release) == 24);

}  // namespace thalweg::raw
