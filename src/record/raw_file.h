// record: a raw file of the recorder, as values that are known to be in range.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "abi/raw_format.h"
#include "base/result.h"

namespace thalweg::record {

struct RawSequence {
    raw::Sequence entry{};
    std::vector<raw::Target> targets;
};

struct RawFile {
    raw::Header header{};
    std::vector<std::pair<uint64_t, uint64_t>> guards;  // hits and failures; process file
    std::vector<uint64_t> counters;                     // of LLVM's instrumentation; counter file
    std::vector<raw::Slot> slots;                       // of dispatches, by the numbers that the raises use
    std::vector<raw::Slot> entry_slots;
    std::vector<raw::Event> events;                     // by the numbers that the rest uses
    std::vector<std::string> names;                     // of the events
    std::vector<raw::Raise> raises;
    std::vector<raw::Edge> edges;
    std::vector<RawSequence> sequences;
    std::vector<raw::Nesting> nestings;
    std::vector<raw::Fact> facts;
    std::vector<raw::SystemCall> system_calls;
    std::vector<raw::SystemCallEdge> system_call_edges;
    std::vector<raw::Release> releases;
    std::vector<std::string> opaques;  // names, empty where there is none
    uint64_t dropped = 0;              // entries that say what cannot be
};

// Those that passed: of dispatches unnoted, of entries all.
uint64_t passed(const raw::Slot &slot);

// Every number in the result that points into one of its lists is in range; entries with others are dropped and counted.
Result<RawFile> read_raw_file(std::string_view bytes);

// The raw files in a file's bytes: those of a reserve, else itself alone. Views into `bytes`; what was never ready, or was exchanged for a larger one, is
// left out. A reserve's bytes may end where it is used.
std::vector<std::string_view> raw_files_in(std::string_view bytes);
// Of a reserve, whose first page this is, how many bytes are used; none: it is no reserve.
std::optional<uint64_t> used_of_reserve(std::string_view page);

}  // namespace thalweg::record
