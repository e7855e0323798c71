// model: what is to be done to a program, and what is not, each with its reason. TOML (docs/formats/plan.md).
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <variant>
#include <vector>

#include "base/result.h"
#include "model/decision_kind.h"
#include "model/fact.h"
#include "model/refusal.h"
#include "model/site.h"

namespace thalweg::model {

enum class Verdict { apply, refuse };

// recorded: planned from a profile. declared: what a user knows, done as it stands. edited: planned from a profile and changed by hand since;
// what is done is done as it stands, too, in the room that the plan gives it.
enum class Provenance { recorded, declared, edited };
std::string_view word(Provenance provenance);

struct PlannedTarget {
    std::string function;  // linker name
    std::string context;  // linker name of the symbol, empty: any
    uint64_t context_offset = 0;
    uint32_t ordinal = 0;
    bool operator==(const PlannedTarget &) const = default;
};

// The user's word for calls of these procedures to one server: they may be made in any order, also when the one before has failed, and what
// is put into a later one isn't in the results of one before.
struct IndependentCalls {
    uint32_t program = 0;
    uint32_t version = 0;
    std::vector<uint32_t> procedures;
    bool operator==(const IndependentCalls &) const = default;
};

// ---- what is done: a struct for each kind, with what only that kind has ----

// The handlers of one dispatch become a super-handler (paper 000, section 3.2.1, handler merging).
struct Merge {
    std::vector<PlannedTarget> targets;
    bool operator==(const Merge &) const = default;
};

// A dispatch inside a handler of decision `parent` becomes part of that super-handler (event subsumption).
struct Subsume {
    std::vector<PlannedTarget> targets;
    uint32_t position = 0;  // in which of the parent's handlers
    bool chain = false;  // the two events form an event chain by the paper's two conditions
    bool operator==(const Subsume &) const = default;
};

// The function `site.function` and the layers that it calls become code for `facts` (paper tempo-sunrpc).
struct Specialize {
    std::vector<Fact> facts;  // of `site.function` and of functions that it may reach
    bool operator==(const Specialize &) const = default;
};

// What the function `site.function` computed last is kept, and computed again only for other inputs (data specialization; Knoblock and Ruf,
// PLDI 1996).
struct Cache {
    bool operator==(const Cache &) const = default;
};

// Of system calls, `site` the first and `group` the others, in order (paper cassyopia, section 2). A call whose result is known is not made.
struct Elide {
    std::vector<Site> group;
    bool operator==(const Elide &) const = default;
};

// What a loop asks for and gives back again and again is kept.
struct Hoist {
    std::vector<Site> group;
    bool operator==(const Hoist &) const = default;
};

// Writes that lie side by side become one.
struct Coalesce {
    std::vector<Site> group;
    bool operator==(const Coalesce &) const = default;
};

// Calls become one call that does the work of all, for a loop too (looped multi-call).
struct Fuse {
    std::vector<Site> group;
    bool operator==(const Fuse &) const = default;
};

// Remote calls that need nothing of each other are on their way at once (section 3); of `group` any follow each other.
struct Overlap {
    std::vector<Site> group;
    std::vector<IndependentCalls> independent;
    bool operator==(const Overlap &) const = default;
};

// A call of the C library that prints what is known when the program is built but for its values becomes stores into the buffer (partial evaluation of
// the library's layer, paper tempo-sunrpc, section 3).
struct Expand {
    bool operator==(const Expand &) const = default;
};

// A function of the C library that gives small blocks of memory, resizes or takes them (`site.function`), is called where the thread itself keeps none: what
// was computed, the block, is kept for the next request (caching, paper spinellis).
struct Reuse {
    bool operator==(const Reuse &) const = default;
};

// In the order of DecisionKind.
using Work = std::variant<Merge, Subsume, Specialize, Cache, Elide, Hoist, Coalesce, Fuse, Overlap, Expand, Reuse>;

// What a decision of this kind does, with nothing in it yet.
Work work_of(DecisionKind kind);

struct Decision {
    uint32_t id = 0;  // 1, 2, ... in the order of the plan; a parent comes before its children
    Verdict verdict = Verdict::apply;
    Provenance provenance = Provenance::recorded;
    std::string event = {};
    std::string library = {};  // the shared library that it is for, as Profile::library has it; empty: the program
    Site site =
        {};  // the dispatch that is replaced, the function that is specialised, the first system call, or the library's function
    Work work = {};
    // Subsume: the decision whose super-handler takes this one in. Specialize: the one whose layer calls it, so that it is made on its
    // own only where that one can't be; 0: none.
    uint32_t parent = 0;
    uint32_t alternative = 0;  // 0, 1, ...: which of this place's recorded sequences, the most frequent first
    uint64_t weight = 0;  // dispatches that ran exactly these targets
    uint64_t weight_error = 0;  // how far the weight may be off (Profile's `error`); 0: it is exact
    double share = 0;  // of the event's dispatches at this site
    double predicted_gain_ns = 0;  // per dispatch, from the cost table
    double predicted_gain_total_ms = 0;
    uint32_t growth_instructions = 0;  // IR instructions added, estimated; declared ones have no such number
    std::string guard = {};  // in words: what is tested, and where
    std::string reason = {};  // why applied, or why refused
    std::string refusal = {};  // its word in refusal.h, or a person's own; empty when applied
    bool operator==(const Decision &) const = default;

    DecisionKind kind() const { return static_cast<DecisionKind>(work.index()); }
    // What its kind has of these; empty where it has none.
    const std::vector<PlannedTarget> &targets() const;
    const std::vector<Fact> &facts() const;
    const std::vector<Site> &group() const;
};

// Refused decisions of which a plan has the number alone.
struct CountedRefusals {
    std::string refusal;
    uint64_t count = 0;
    bool operator==(const CountedRefusals &) const = default;
};

struct Plan {
    static constexpr uint32_t version = 1;
    std::string program;
    std::string build_id;
    std::string costs;  // whence the costs are that it was made with, in words; empty: the built-in ones
    std::vector<CountedRefusals> left_out;
    std::vector<Decision> decisions;
    bool operator==(const Plan &) const = default;
};

// A handler above this many IR instructions is called directly, not merged into a line.
inline constexpr uint32_t large_handler_instructions = 2000;
// A function that was entered less often holds the loop around the work, as main does: what it calls may be the better root.
// Of a program that runs for a second this is less than one entry in 10 ms.
inline constexpr uint64_t min_entries_of_layer = 100;

inline double rounded(double value) { return std::round(value * 1000) / 1000; }  // as a plan's text shows a time
inline void refuse(Decision &decision, RefusalKind kind, std::string reason) {
    std::tie(decision.verdict, decision.refusal, decision.reason) = std::tuple(Verdict::refuse, word(kind), reason);
}

Status validate(const Plan &plan);
std::string write_plan(const Plan &plan);
Result<Plan> read_plan(const std::string &text);

// What the specialiser did with the instructions of one line, over all unfoldings of its function on the way where facts hold.
struct LineTimes {
    uint32_t line = 0;  // 0: not known
    uint32_t evaluated = 0;  // static: done when the program was specialised
    uint32_t residual = 0;  // dynamic: left in the program
    uint32_t tested = 0;  // facts, where they are read
    uint32_t trusted = 0;  // facts that are believed without a test
    std::vector<std::string> reasons;  // why something is known at run time only, from here on
    bool operator==(const LineTimes &) const = default;
};

struct FunctionTimes {
    std::string function;  // linker name
    std::string file;  // empty: no debug information, and one line that stands for all
    std::string directory;  // where `file` was compiled
    uint32_t first_line = 0;
    std::vector<LineTimes> lines;
    bool operator==(const FunctionTimes &) const = default;
};

// What became of each decision in the optimised program.
struct DecisionOutcome {
    uint32_t decision = 0;
    bool applied = false;
    std::string reason;  // when not applied: what in the program did not fit; when applied: remarks
    int64_t growth_instructions = 0;  // IR instructions; what a decision leaves out may be more than what it adds
    // specialize: what the recorded run would not execute any more, by its counts, in IR instructions; 0: nothing was counted that tells
    uint64_t saved_instructions = 0;
    std::vector<FunctionTimes> functions = {};  // specialize: the binding times of the source
    bool operator==(const DecisionOutcome &) const = default;
};

// A specialised function in an object file of its own, for those who call it by hand. Its header is made from this.
struct ObjectFunction {
    std::string symbol;
    std::string prototype;  // in C, without the semicolon
    bool from_debug_info = false;  // the prototype; else it is from the types of the IR
    std::vector<std::string> tags;  // of structures that it names: "struct sink"
    std::vector<std::string> by_value;  // types that whoever includes the header must have declared before
    std::vector<std::string> copies;  // of the program's internal functions and constants
    std::vector<std::string> externals;  // of the program, which the object leaves undefined
    bool operator==(const ObjectFunction &) const = default;
};

struct Outcome {
    static constexpr uint32_t version = 1;
    std::vector<DecisionOutcome> decisions;
    uint64_t instructions_before = 0;
    uint64_t instructions_after = 0;
    uint64_t counted_functions = 0;  // that have the counts of the profile
    uint64_t miscounted_functions = 0;  // whose counts are of other code
    uint64_t executed_instructions = 0;  // IR instructions that the counted run executed; 0: not known
    // What of the program makes floating point depend on more than its operands: no link-time optimisation, then. Empty: nothing.
    std::string float_environment = {};
    std::optional<ObjectFunction> object = std::nullopt;  // of a job of mode object
    bool operator==(const Outcome &) const = default;
};

Status validate(const Outcome &outcome);
std::string write_outcome(const Outcome &outcome);  // JSON (docs/formats/outcome.md)
Result<Outcome> read_outcome(const std::string &text);

}  // namespace thalweg::model
