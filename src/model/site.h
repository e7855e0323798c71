// model: a dispatch site, the place in a program where a loop calls through pointers; and the table of a program's sites.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "model/counts.h"

namespace thalweg::model {

struct SourcePlace {
    std::string file;  // empty: no debug information
    uint32_t line = 0;
    uint32_t column = 0;
    auto operator<=>(const SourcePlace &) const = default;
};

// event: a raise of our runtime. list: anybody's list of callbacks. trigger: where events of tamed functions are triggered. wait: where a
// coroutine waits, and goes on. call: a direct call of a function that enters the kernel (knowledge/function.h). Of triggers and waits no
// plan speaks.
enum class SiteKind { event, list, trigger, wait, call };
inline constexpr std::array<const char *, 5> site_kind_words = {"event", "list", "trigger", "wait", "call"};
inline const char *word(SiteKind kind) { return site_kind_words[static_cast<size_t>(kind)]; }
inline bool is_of_handlers(SiteKind kind) { return kind == SiteKind::event || kind == SiteKind::list; }

// A site is found again by (function, ordinal); `body_hash` tells whether the function is still the one recorded.
struct Site {
    std::string function;  // linker name of the function whose loop this is
    uint32_t ordinal = 0;  // which dispatch loop of that function, or which of its system calls, in block order
    uint64_t body_hash = 0;  // hash of the function's body as the plug-in saw it
    SiteKind kind = SiteKind::list;
    SourcePlace place;
    std::string callee = {};  // of a call: what is called, as the linker knows it
    bool operator==(const Site &) const = default;
};

// A function whose address is taken, or a global variable (a handler's context).
struct Symbol {
    std::string name;
    bool is_function = true;
    bool has_body = true;  // false: opaque code, can be called directly but not merged
    uint64_t body_hash = 0;
    uint32_t instructions = 0;  // IR instructions of the body
    SourcePlace place;
    bool operator==(const Symbol &) const = default;
};

// A function whose body the plug-in saw: what a fact can speak of.
struct FunctionBody {
    std::string name;  // linker name
    uint64_t body_hash = 0;
    uint32_t instructions = 0;  // IR instructions
    SourcePlace place;
    std::vector<uint32_t>
        calls;  // indices into the same list: whom it calls directly or hands over in a call, each once
    bool operator==(const FunctionBody &) const = default;
};

// argument: of a function, as it is entered. load: what one load instruction of a function gives.
// result: what one call of a function outside of the program gives, before a loop that it steers: a setting that was read at the start.
// memory: what lies behind a pointer argument, `path` away: all but the last step are followed as pointers.
enum class FactKind { argument, load, result, memory };

// What a value that is watched leads to, by the strongest: a branch, a switch, a call through a pointer.
enum class Steers { branch, choice, call };

// A direct call: what is noted in a function is kept apart by the call that led to it ("context sensitivity", tempo-sunrpc 3.3).
struct CallPlace {
    uint32_t caller = 0;  // index into the same list as the function's own
    uint32_t ordinal = 0;  // which of the caller's calls, intrinsics not counted, in block order
    SourcePlace place;
    auto operator<=>(const CallPlace &) const = default;
};

// A place of generic code, whose value the twin notes.
struct FactPlace {
    uint32_t function = 0;  // index into the table's functions
    FactKind kind = FactKind::load;
    uint32_t ordinal = 0;  // as in Fact
    uint32_t width = 0;
    Steers steers = Steers::branch;
    SourcePlace place;
    std::optional<CallPlace> call = {};  // noted only when this call led to the function; none: when no such call did
    bool operator==(const FactPlace &) const = default;
};

// A function of which it is proved what it computes from and what it writes, so that its results may be kept.
struct Computation {
    uint32_t function = 0;  // index into the list that stands beside it
    uint32_t instructions = 0;  // that one call executes, estimated
    uint32_t input_bytes = 0;
    uint32_t result_bytes = 0;
    auto operator<=>(const Computation &) const = default;
};

// What the probe pass tells about the twin it made: index in these lists = the id that the probes use.
struct SiteTable {
    static constexpr uint32_t version = 4;
    std::string program;
    uint64_t instructions = 0;  // IR instructions of the whole program before any probe; 0: not known
    std::vector<Site> sites;
    std::vector<std::string>
        inlined;  // of the first sites: whose code was inlined there, by linker name; empty: nobody's
    std::vector<Symbol> symbols;
    std::vector<FunctionBody> functions;
    std::vector<FactPlace> fact_places;
    std::vector<Computation> computations;  // their numbers go on behind those of the fact places
    std::vector<CountedFunction> counted;
    bool operator==(const SiteTable &) const = default;
};

Status validate(const SiteTable &table);
std::string write_site_table(const SiteTable &table);  // JSON (docs/formats/site-table.md)
Result<SiteTable> read_site_table(const std::string &text);

}  // namespace thalweg::model
