// model: why a decision is refused: a row a reason, whoever gives it. What was seen of the one decision stands beside it as `reason`.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

namespace thalweg::model {

enum class RefusalKind {
    too_cold,
    too_light,
    too_large,
    unpredictable,
    no_handlers,
    one_function,
    opaque_code,
    asynchronous_edge,
    timed_edge,
    handler_rebinds,
    recursive,
    truncated,
    varies,
    inputs_change,
    costs_no_more,
    not_given_back,
    not_known,
    does_not_pay,
    does_not_fit,
    not_declared,
    body_changed,
};

struct RefusalRow {
    RefusalKind kind;
    const char *word;  // in plans, as `Decision::refusal`
    const char *remedy;  // what a user can do; empty: nothing, it is the program's nature
};

inline constexpr std::array refusals = {
    RefusalRow{
        RefusalKind::too_cold, "too-cold",
        "where the program runs longer than when it was recorded: record such a run, or plan with a smaller --eta"},
    RefusalRow{RefusalKind::too_light, "too-light",
               "turn it into `apply` in the plan, and let `thalweg compare` say what it brings"},
    RefusalRow{RefusalKind::too_large, "too-large",
               "where the reason names a bound of instructions for the program: plan with a larger --max-growth"},
    RefusalRow{RefusalKind::unpredictable, "unpredictable",
               "where one order is usual in practice: record such a run; where the reason names a share: a smaller "
               "--min-share"},
    RefusalRow{RefusalKind::no_handlers, "no-handlers", ""},
    RefusalRow{RefusalKind::one_function, "one-function", ""},
    RefusalRow{RefusalKind::opaque_code, "opaque-code",
               "where the handler's file belongs to this program: build it with thalweg-cc, too, and record again"},
    RefusalRow{RefusalKind::asynchronous_edge, "asynchronous-edge", "raise it synchronously, where the program may"},
    RefusalRow{RefusalKind::timed_edge, "timed-edge", ""},
    RefusalRow{RefusalKind::handler_rebinds, "handler-rebinds", ""},
    RefusalRow{RefusalKind::recursive, "recursive", ""},
    RefusalRow{RefusalKind::truncated, "truncated", ""},
    RefusalRow{RefusalKind::varies, "varies",
               "where you know a value that the recording does not show: `thalweg specialize --fact`"},
    RefusalRow{RefusalKind::inputs_change, "inputs-change", ""},
    RefusalRow{RefusalKind::costs_no_more, "costs-no-more", ""},
    RefusalRow{RefusalKind::not_given_back, "not-given-back", ""},
    RefusalRow{RefusalKind::not_known, "not-known", ""},
    RefusalRow{RefusalKind::does_not_pay, "does-not-pay", "`thalweg auto --keep-all` keeps it"},
    RefusalRow{RefusalKind::does_not_fit, "does-not-fit", ""},
    RefusalRow{RefusalKind::not_declared, "not-declared", "plan with --independent, where you know that it holds"},
    RefusalRow{RefusalKind::body_changed, "body-changed", "record again, with one build"},
};
static_assert([] {
    for (size_t i = 0; i < refusals.size(); ++i)
        if (refusals[i].kind != static_cast<RefusalKind>(i))
            return false;
    return true;
}());

constexpr std::string_view word(RefusalKind kind) { return refusals[static_cast<size_t>(kind)].word; }

// Null: a word of a person's own, or none.
constexpr const RefusalRow *refusal_named(std::string_view word) {
    const auto *found = std::ranges::find(refusals, word, &RefusalRow::word);
    return found == refusals.end() ? nullptr : found;
}

}  // namespace thalweg::model
