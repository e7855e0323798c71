// model: what holds for all decisions of a kind, whoever asks: a row a kind.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

namespace thalweg::model {

// The order of plan.h's `Work`.
enum class DecisionKind { merge, subsume, specialize, cache, elide, hoist, coalesce, fuse, overlap, expand, reuse };

// What a decision is about: a dispatch of handlers, a function, system calls, a call of the C library that stays inside of it, or all calls of one of its
// functions.
enum class Subject { dispatch, function, system_calls, library_call, library_function };

struct KindRow {
    DecisionKind kind;
    const char *word;  // in plans and tables
    Subject subject;
    // Changes more of the program than the calls that it is about, so that its code wants link-time optimisation.
    bool makes_code;
    bool can_be_light;  // is refused where it saves less than the place of code in memory costs or brings
    const char *measured_with;  // the decisions that `auto` measures as one and takes out as one
    const char *does;  // for a reader; of kinds with a list of their own, its length follows
    const char *when_it_fails;  // what runs when its guard fails
};

inline constexpr const char *own_calls = "The program's own call is made.";
inline constexpr const char *own_state =
    "The program's own calls are made, from the state in which it would have made them.";

// Joined writes are made in copies of what the program has, in which things are known; remote calls in a row have their stubs unfolded: these
// two make code.
inline constexpr std::array decision_kinds = {
    KindRow{DecisionKind::merge, "merge", Subject::dispatch, true, true, "lines of events", "merge",
            "The original loop runs on, entered with the state of the call that did not fit."},
    KindRow{DecisionKind::subsume, "subsume", Subject::dispatch, true, true, "lines of events", "subsume",
            "The line is left for good. If this event's handlers have changed, the rest of the line around it runs "
            "from its own fast code, and this event from the original loop."},
    KindRow{DecisionKind::specialize, "specialize", Subject::function, true, true, "layers", "specialize",
            "The function goes on as it was written, from the place where the program reads what the fact is about."},
    KindRow{DecisionKind::cache, "cache", Subject::function, true, false, "kept results",
            "keep what it computed, until its inputs change",
            "The function computes as it was written, and what it computed is kept for the next entry."},
    KindRow{DecisionKind::elide, "elide", Subject::system_calls, false, false, "system calls",
            "leave out the call where its result is known", own_calls},
    KindRow{DecisionKind::hoist, "hoist", Subject::system_calls, false, false, "system calls",
            "keep the block that is given back, for the next request", own_calls},
    KindRow{DecisionKind::coalesce, "coalesce", Subject::system_calls, true, false, "system calls",
            "write what lies side by side by one call", own_state},
    KindRow{DecisionKind::fuse, "fuse", Subject::system_calls, false, false, "system calls",
            "let one call do the loop's work", own_state},
    KindRow{DecisionKind::overlap, "overlap", Subject::system_calls, true, false, "system calls",
            "have independent remote calls on their way at once", own_calls},
    KindRow{DecisionKind::expand, "expand", Subject::library_call, true, false, "output",
            "put what is printed into the buffer, or take what is read out of it, in place", own_calls},
    KindRow{DecisionKind::reuse, "reuse", Subject::library_function, false, false, "small blocks",
            "hand a small block that was given back to the next request of its size", own_calls},
};

static_assert([] {
    for (size_t i = 0; i < decision_kinds.size(); ++i)
        if (decision_kinds[i].kind != static_cast<DecisionKind>(i))
            return false;
    return true;
}());

constexpr const KindRow &row_of(DecisionKind kind) { return decision_kinds[static_cast<size_t>(kind)]; }

constexpr std::string_view kind_word(DecisionKind kind) { return row_of(kind).word; }

// Whether a decision of this kind is about a function, and not about a dispatch in one.
constexpr bool is_of_function(DecisionKind kind) { return row_of(kind).subject == Subject::function; }
constexpr bool is_of_system_calls(DecisionKind kind) { return row_of(kind).subject == Subject::system_calls; }
// Whether its site is the function that is called, and not a call.
constexpr bool is_of_library_function(DecisionKind kind) { return row_of(kind).subject == Subject::library_function; }
// Whether it makes a line of a dispatch's handlers.
constexpr bool is_of_dispatch(DecisionKind kind) { return row_of(kind).subject == Subject::dispatch; }
// Whether its site is a call, or the function that is called.
constexpr bool is_of_calls(DecisionKind kind) { return !is_of_function(kind) && !is_of_dispatch(kind); }

inline constexpr std::array decision_kind_words = [] {
    std::array<const char *, decision_kinds.size()> words{};
    std::ranges::transform(decision_kinds, words.begin(), &KindRow::word);
    return words;
}();

}  // namespace thalweg::model
