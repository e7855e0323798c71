// abi: the bytes that the recorder writes and that `record` reads. docs/formats/raw-record.md says it in words.
#pragma once

#include <cstddef>
#include <cstdint>

#include "abi/probe.h"

namespace thalweg::raw {

// The environment variable that names the folder for the files, and the marker file in it that asks for all dispatches.
inline constexpr char directory_variable[] = "THALWEG_RECORD_DIR";
inline constexpr char exact_marker[] = "exact";
inline constexpr char file_ending[] = ".raw";

inline constexpr uint64_t magic = 0x31574152474c4854;  // "THLGRAW1" as bytes
inline constexpr uint32_t version = 10;
inline constexpr uint32_t none = UINT32_MAX;
// A function that is in no symbol list: this bit and an index into the chunk's opaque table.
inline constexpr uint32_t opaque_bit = 0x80000000;

// A place of generic code with more values than these varies.
inline constexpr uint32_t values_per_fact = 4;
// Longer lists are noted as truncated, and are not made a straight line, whatever a plan says: sixteen times the handlers of the paper's largest
// events (section 4.2: 2-4 handlers each).
inline constexpr uint32_t targets_per_sequence = 64;
// A sample is so many consecutive dispatches.
inline constexpr uint32_t dispatches_of_a_sample = 64;
inline constexpr uint32_t name_size = 96;
inline constexpr uint32_t opaque_name_size = 120;

// Two counts: of dispatches that were noted, and of those between that the noted ones stand for.
enum Part : uint32_t { noted = 0, estimated = 1, part_count = 2 };
enum Kind : uint32_t { process_file = 0, chunk_file = 1, counter_file = 2, reserve_file = 3 };
// Of a counter file: where the counters, each a uint64_t, begin. A page, so that they can be mapped where the program has them.
inline constexpr size_t counters_offset = THALWEG_PROBE_COUNTER_PAGE;

// Where dispatches are counted: a site has one slot, or several by the address of what is dispatched there; a function with generic code
// has one. `granted - left` have passed unnoted (of functions: have entered, the noted ones too).
using Slot = ::thalweg_probe_slot;

// What a call through a pointer called, in a counter file.
using Call = ::thalweg_probe_call;
inline constexpr size_t words_of_call = sizeof(Call) / sizeof(uint64_t);
// How often a memory operation had a size of each range, behind the calls of its function.
inline constexpr size_t words_of_memory_operation = THALWEG_PROBE_MEMORY_SIZES;

struct Event {
    uint64_t binding_changes;
    uint64_t
        address;  // of an event that shares its name with others; 0: of one that is known by its name, or by its site
    uint32_t used;
    uint32_t
        site;  // of a list, a wait or a trigger; `none` for an event of the runtime. That and what is triggered have names
    char name[name_size];
};

// Dispatches that were timed. Each stands for so many, its weight; sums over them, w its weight and t its time in nanoseconds, are what the
// weighted mean and its standard error are made of.
struct Times {
    uint64_t timed;
    double weights;  // of w
    double times;  // of w t
    double squared_weights;  // of w w
    double squared_weights_times;  // of w w t
    double squares;  // of w w t t
    double most_weight;  // w and t of the one with the largest w t
    double most_time;

    void add(double weight, double time) {
        ++timed;
        weights += weight;
        times += weight * time;
        squared_weights += weight * weight;
        squared_weights_times += weight * weight * time;
        squares += weight * weight * time * time;
        if (weight * time > most_weight * most_time) {
            most_weight = weight;
            most_time = time;
        }
    }
};

// Dispatches of an event by the slot that counted them.
struct Raise {
    uint32_t event;
    uint32_t slot;
    uint32_t site;
    uint32_t used;
    uint64_t count[part_count];
    Times whole;  // from entry to end
    Times own;  // without what was dispatched inside, where all of that was noted
};

struct Edge {
    uint32_t from;
    uint32_t to;
    uint32_t mode;
    uint32_t used;
    uint64_t count[part_count];
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
    uint64_t count[part_count];
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
    uint64_t count[part_count];
};

struct Opaque {
    uint64_t address;
    char name[opaque_name_size];
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

// The tables of a chunk, in the order in which they lie behind the header.
enum Table : uint32_t {
    dispatch_slots,
    entry_slots,
    events,
    raises,
    edges,
    sequences,
    targets,
    nestings,
    opaques,
    facts,
    system_calls,
    system_call_edges,
    releases,
    table_count
};

// A table that is full grows. At its largest a chunk has some 200 MB: a program that needs more than these has something else wrong, or
// makes its functions and objects anew all the time; what does not fit is counted as lost.
struct TableSize {
    uint32_t entry_bytes;
    uint32_t first;
    uint32_t most;
};
inline constexpr TableSize table_sizes[table_count] = {
    {sizeof(Slot), 0, 1u << 20},      {sizeof(Slot), 0, 1u << 20},        {sizeof(Event), 64, 1u << 16},
    {sizeof(Raise), 128, 1u << 18},   {sizeof(Edge), 256, 1u << 20},      {sizeof(Sequence), 256, 1u << 18},
    {sizeof(Target), 1024, 1u << 20}, {sizeof(Nesting), 256, 1u << 18},   {sizeof(Opaque), 64, 1u << 12},
    {sizeof(Fact), 512, 1u << 18},    {sizeof(SystemCall), 64, 1u << 16}, {sizeof(SystemCallEdge), 128, 1u << 18},
    {sizeof(Release), 64, 1u << 16},
};

struct Header {
    uint64_t magic;  // written last: a file without it was never ready
    uint32_t version;
    uint32_t kind;
    uint64_t file_size;
    uint64_t process_start_ns;  // with the pid: which process
    uint32_t pid;
    uint32_t chunk_index;
    uint32_t generation;  // chunk: the file of the same process and index with a lower one has become this one
    uint32_t event_count;
    uint32_t target_count;
    uint32_t opaque_count;
    uint64_t symbol_count;  // of the program's symbol list
    uint64_t guard_count;  // process file: pairs of uint64_t behind the header
    uint64_t threads;  // chunk: threads that used it, one after the other
    uint64_t threads_without_chunk;  // process file: threads of which nothing is known
    uint64_t recorded;  // dispatches that were noted
    uint64_t lost;  // did not fit a table, or came while the recorder was at work
    uint64_t unfinished;  // dispatches left by an exception; they have no sequence
    uint64_t failure;  // errno of what ended the recording early, 0: nothing did
    uint32_t capacity[table_count];
    uint32_t counter_count;  // counter file: words, those of calls and memory operations too
};

// Of a reserve file: where a program that may open no file any more (it has given up its rights, its root or its descriptors) and its children write
// what would be files of their own. Made before main, sparse, and mapped in all of them. Parts stand one behind the other, the first at
// `reserve_page`: a page that begins with the size of what stands behind it, then that, to a whole page.
struct Reserve {
    Header header;
    uint64_t used;  // bytes of the file, this page too
};
inline constexpr size_t reserve_page = 4096;
// Of address space, and of the file; only what is written to takes room. 60 children of dnsmasq 2.90 took 27 MB; a chunk at its largest has 200.
inline constexpr size_t reserve_size = size_t{256} << 20;

// Where a table begins in a chunk whose tables have these sizes; of table_count: where the chunk ends.
constexpr size_t offset_of(const uint32_t (&capacity)[table_count], uint32_t table) {
    size_t at = sizeof(Header);
    for (uint32_t i = 0; i < table; ++i)
        at += size_t{capacity[i]} * table_sizes[i].entry_bytes;
    return at;
}

static_assert(words_of_call == 25 && offsetof(Call, targets[0].count) == 16);
static_assert(sizeof(Header) == 176 && offsetof(Header, capacity) == 120);
static_assert(sizeof(Slot) == 32 && sizeof(Event) == 120 && sizeof(Raise) == 160 && sizeof(Edge) == 32);
static_assert(sizeof(Target) == 24 && sizeof(Sequence) == 48 && sizeof(Nesting) == 48 && sizeof(Opaque) == 128);
static_assert(sizeof(FactValue) == 24 && sizeof(Fact) == 120);
static_assert(sizeof(SystemCall) == 72 && sizeof(SystemCallEdge) == 80 && sizeof(Release) == 24);

}  // namespace thalweg::raw
