// model: what was recorded of real runs, as a value. Written to one SQLite file (docs/formats/profile.md).
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/counts.h"
#include "model/site.h"

namespace thalweg::model {

inline constexpr uint32_t none = UINT32_MAX;

enum class RaiseMode { sync = 0, async = 1, timed = 2, external = 3 };
inline constexpr const char *raise_mode_words[] = {"sync", "async", "timed", "external"};
inline const char *word(RaiseMode mode) { return raise_mode_words[static_cast<size_t>(mode)]; }

// An `error` says how far the count beside it may be off (docs/formats/profile.md): 0, it is exact; this, it was estimated, nobody said how well.
inline constexpr uint64_t unknown_error = INT64_MAX;

// How long an event's dispatches took together, by the clock, estimated from those that were timed. Errors as those of counts.
struct EventTime {
    uint64_t timed = 0;  // dispatches; 0: nothing was, and the rest is unknown
    uint64_t inside_ns = 0;  // from their entry to their end
    uint64_t inside_error_ns = 0;
    uint64_t own_ns = 0;  // of this, without what was dispatched inside
    uint64_t own_error_ns = 0;
    bool operator==(const EventTime &) const = default;
};

// An event of our runtime (by its name) or a list of callbacks (named by its place, "file:line function").
struct Event {
    std::string name;
    SiteKind kind = SiteKind::event;
    uint64_t raises = 0;
    uint64_t binding_changes = 0;  // binds and unbinds while the program ran, the first build-up not counted
    uint64_t error = 0;  // of the raises
    EventTime time = {};
    bool operator==(const Event &) const = default;
};

// Event `to` immediately followed event `from` in a thread's trace (paper 000, section 3.1).
struct Edge {
    uint32_t from = none;
    uint32_t to = none;
    RaiseMode mode = RaiseMode::sync;  // how `to` was raised
    uint64_t weight = 0;
    uint64_t error = 0;
    auto operator<=>(const Edge &) const = default;
};

// One call of a dispatch: which function, and its context where that is the address of a known symbol.
struct Target {
    uint32_t function = none;  // index into Profile::symbols; none: unknown code
    uint32_t context = none;  // index into Profile::symbols; none: something else, differs, or no pointer
    uint64_t context_offset = 0;
    uint32_t ordinal = 0;  // which indirect call of the loop
    auto operator<=>(const Target &) const = default;
};

// The handlers that one dispatch at `site` of `event` ran, in order, and how often just this sequence ran.
struct Sequence {
    uint32_t site = none;
    uint32_t event = none;
    std::vector<Target> targets;
    bool truncated = false;  // longer than the recorder keeps
    uint64_t count = 0;
    uint64_t error = 0;
    auto operator<=>(const Sequence &) const = default;
};

// While handler number `position` of `parent` ran, `child` was dispatched (paper 000, section 3.2.1, subsumption).
struct Nesting {
    uint32_t parent_event = none;
    uint32_t parent_site = none;
    uint32_t position = 0;
    uint32_t handler = none;  // index into Profile::symbols
    uint32_t child_event = none;
    uint32_t child_site = none;
    RaiseMode mode = RaiseMode::sync;
    uint64_t count = 0;
    uint64_t error = 0;
    auto operator<=>(const Nesting &) const = default;
};

// A function that ran generic code, or that one of those may call, and how often it was entered.
struct ProfiledFunction {
    FunctionBody body;  // its calls: indices into Profile::functions
    uint64_t entries = 0;  // 0: not counted, or never entered
    uint64_t error = 0;  // of the entries
    bool operator==(const ProfiledFunction &) const = default;
};

struct NotedValue {
    uint32_t symbol = none;  // index into Profile::symbols; none: a number
    uint64_t bits = 0;  // the number, zero-extended; with a symbol: the offset
    uint64_t count = 0;
    auto operator<=>(const NotedValue &) const = default;
};

// What was noted at one place of generic code.
struct NotedFact {
    static constexpr size_t most_values = 4;  // more are no fact: the place varies
    uint32_t function = none;  // index into Profile::functions
    FactKind kind = FactKind::load;
    uint32_t ordinal = 0;
    uint32_t width = 0;
    Steers steers = Steers::branch;
    SourcePlace place;
    uint64_t notes = 0;
    bool varies = false;
    std::vector<NotedValue> values;  // sorted, each once; none when it varies
    std::optional<CallPlace> call = {};  // of what was noted, the part to which this call led; none: all of it
    bool operator==(const NotedFact &) const = default;
};

// What was noted of a function whose results may be kept.
struct NotedComputation {
    Computation of;  // its function: index into Profile::functions
    uint64_t notes = 0;
    uint64_t same = 0;  // of these, with the inputs of the same thread's entry before
    auto operator<=>(const NotedComputation &) const = default;
};

// How often a system call was made at a site of kind call, and what came of it. Memory: only large blocks are counted.
struct NotedSystemCall {
    uint32_t site = none;
    uint64_t calls = 0;
    uint64_t errors = 0;  // gave -1
    uint64_t zeros = 0;  // gave 0 where it gives bytes: the end of a file
    uint64_t shorts = 0;  // gave fewer bytes than it was asked for, zeros too
    uint64_t asked_bytes = 0;
    uint64_t given_bytes = 0;
    uint64_t timed = 0;  // of the calls, those that were timed; 0: how long they take is not known
    uint64_t inside_ns = 0;  // of these together, from entry to return
    auto operator<=>(const NotedSystemCall &) const = default;
};

// Who read the clock around system calls: what he does himself at each call is part of what he measured.
enum class CallClock { none = 0, probes = 1, strace = 2, perf = 3, several = 4 };
inline constexpr const char *call_clock_words[] = {"none", "probes", "strace", "perf", "several"};
inline const char *word(CallClock clock) { return call_clock_words[static_cast<size_t>(clock)]; }

// System call `to` immediately followed `from` in a thread (paper cassyopia, section 2: the system-call graph).
struct SystemCallEdge {
    uint32_t from = none;  // sites
    uint32_t to = none;
    uint64_t weight = 0;
    uint64_t same_descriptor = 0;  // of these, on the descriptor that `from` used or gave
    uint64_t same_buffer = 0;  // of these, with the buffer of `from`
    uint64_t result_is_size = 0;  // of these, for as many bytes as `from` gave
    uint64_t adjacent = 0;  // of these, writes that go on where `from` ended in the file
    uint64_t timed = 0;  // of these, those that were timed; 0: how long the program's own code between ran is not known
    uint64_t between_ns = 0;  // of these together, from the return of `from` to the entry of `to`
    uint64_t least_ns = 0;  // the shortest of them: another process, let in between, makes the others longer
    auto operator<=>(const SystemCallEdge &) const = default;
};

// A large block of memory that the call at `from` gave was given back at `to`.
struct Release {
    uint32_t from = none;  // sites
    uint32_t to = none;
    uint64_t count = 0;
    auto operator<=>(const Release &) const = default;
};

// A call of the C library that puts bytes into a buffer, and could do so in place.
struct NotedOutput {
    uint32_t site = none;  // its kind is call
    uint64_t calls = 0;
    auto operator<=>(const NotedOutput &) const = default;
};

// A function of the C library that gives small blocks, resizes or takes them.
struct NotedBlocks {
    std::string callee;
    uint64_t calls = 0;
    uint64_t served =
        0;  // of them, by a block that the thread had given back; of what takes blocks: those that the thread kept
    auto operator<=>(const NotedBlocks &) const = default;
};

struct GuardCount {
    uint32_t decision = 0;  // of the plan that made the recorded program
    std::string event;
    uint64_t hits = 0;
    uint64_t failures = 0;
    bool operator==(const GuardCount &) const = default;
};

struct Coverage {
    uint64_t dispatches = 0;  // all that ran
    uint64_t recorded = 0;  // those written down in full; from these the others were estimated
    uint64_t lost = 0;  // did not fit the recorder's tables
    uint64_t runs = 0;
    uint64_t processes = 0;
    uint64_t threads = 0;
    bool operator==(const Coverage &) const = default;
};

struct Profile {
    static constexpr uint32_t version = 14;
    std::string program;  // path as given
    std::string library;  // of a shared library: its SONAME, or its file's name where it has none; empty: of a program
    std::string build_id;  // of the program that the user built, hexadecimal; empty if it has none
    std::string command;
    uint64_t instructions = 0;  // IR instructions of the whole program (SiteTable::instructions); 0: not known
    std::vector<Site> sites;
    std::vector<Symbol> symbols;
    std::vector<Event> events;
    std::vector<Edge> edges;
    std::vector<Sequence> sequences;
    std::vector<Nesting> nestings;
    std::vector<GuardCount> guards;
    std::vector<ProfiledFunction> functions;
    std::vector<NotedFact> facts;
    std::vector<NotedComputation> computations;
    std::vector<NotedSystemCall> system_calls;
    std::vector<SystemCallEdge> system_call_edges;
    std::vector<Release> releases;
    std::vector<NotedOutput> output_calls;
    std::vector<NotedBlocks> block_calls;  // by name
    CallClock call_clock = CallClock::none;
    std::vector<FunctionCounts> counts;  // sorted; of one name and hash one
    Coverage coverage;
    // Of the shared libraries that were recorded with the program, by name; each was linked by itself, and has its own sites and counts.
    std::vector<Profile> libraries;
    bool operator==(const Profile &) const = default;
};

// The part that is of the program (empty) or of this library; null: there is none.
const Profile *part_of(const Profile &profile, const std::string &library);

// Every index in range, every count consistent. A profile that was read has passed this.
Status validate(const Profile &profile);
Result<std::string>
profile_bytes(const Profile &profile);  // the bytes of the SQLite file; the same for the same profile
Result<Profile> profile_from_bytes(std::string_view bytes);
Status write_profile(const Profile &profile, const std::string &path);  // to a temporary, then renamed
Result<Profile> read_profile(const std::string &path);

}  // namespace thalweg::model
