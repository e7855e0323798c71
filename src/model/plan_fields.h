// model: the fields of a plan (docs/formats/plan.md), in the order in which they stand in the file. A member without a row does not compile.
#pragma once

#include "model/limits.h"
#include "model/plan.h"
#include "model/profile_fields.h"

namespace thalweg::model {

static_assert(decision_kinds.size() == std::variant_size_v<Work>);
inline constexpr const char *verdict_words[] = {"apply", "refuse"};
inline constexpr const char *provenance_words[] = {"recorded", "declared", "edited"};
inline constexpr const char *fact_kind_words[] = {"argument", "load", "result", "memory"};

namespace fields {

template <>
struct Of<FactValue> {
    static constexpr std::tuple rows{value("symbol", &FactValue::symbol).sparse(), value("bits", &FactValue::bits)};
};

template <>
struct Of<FactCall> {
    static constexpr std::tuple rows{name("caller", &FactCall::caller), value("ordinal", &FactCall::ordinal),
                                     hash("body_hash", &FactCall::body_hash), place("place", &FactCall::place)};
};

template <>
struct Of<Fact> {
    static constexpr std::tuple rows{key("kind", &Fact::kind, fact_kind_words).needed(),
                                     name("function", &Fact::function),
                                     value("ordinal", &Fact::ordinal),
                                     value("width", &Fact::width).needed(),
                                     hash("body_hash", &Fact::body_hash),
                                     object("call", &Fact::call),
                                     values("path", &Fact::path, max_fact_path).sparse(),
                                     objects("values", &Fact::values, max_fact_values),
                                     value("trusted", &Fact::trusted),
                                     place("place", &Fact::place)};
};

template <>
struct Of<PlannedTarget> {
    static constexpr std::tuple rows{name("function", &PlannedTarget::function),
                                     value("ordinal", &PlannedTarget::ordinal),
                                     value("context", &PlannedTarget::context).sparse(),
                                     count("context_offset", &PlannedTarget::context_offset).sparse()};
};

template <>
struct Of<IndependentCalls> {
    static constexpr std::tuple rows{value("program", &IndependentCalls::program).needed(),
                                     value("version", &IndependentCalls::version).needed(),
                                     values("procedures", &IndependentCalls::procedures, max_independent)};
};

// What needs no more than its site.
template <class One>
    requires std::is_empty_v<One>
struct Of<One> {
    static constexpr std::tuple<> rows{};
};

template <>
struct Of<Merge> {
    static constexpr std::tuple rows{objects("targets", &Merge::targets, max_targets)};
};

template <>
struct Of<Subsume> {
    static constexpr std::tuple rows{objects("targets", &Subsume::targets, max_targets),
                                     value("position", &Subsume::position), value("chain", &Subsume::chain)};
};

template <>
struct Of<Specialize> {
    static constexpr std::tuple rows{objects("facts", &Specialize::facts, max_facts)};
};

template <>
struct Of<Elide> {
    static constexpr std::tuple rows{objects("group", &Elide::group, max_group)};
};

template <>
struct Of<Hoist> {
    static constexpr std::tuple rows{objects("group", &Hoist::group, max_group)};
};

template <>
struct Of<Coalesce> {
    static constexpr std::tuple rows{objects("group", &Coalesce::group, max_group)};
};

template <>
struct Of<Fuse> {
    static constexpr std::tuple rows{objects("group", &Fuse::group, max_group)};
};

template <>
struct Of<Overlap> {
    static constexpr std::tuple rows{objects("group", &Overlap::group, max_group),
                                     objects("independent", &Overlap::independent, max_independent).sparse()};
};

template <>
struct Of<Decision> {
    static constexpr std::tuple rows{value("id", &Decision::id).needed(),
                                     Chosen{"kind", &Decision::work, decision_kind_words},
                                     key("verdict", &Decision::verdict, verdict_words).needed(),
                                     key("provenance", &Decision::provenance, provenance_words),
                                     value("event", &Decision::event),
                                     value("library", &Decision::library).sparse(),
                                     object("site", &Decision::site).needed(),
                                     FieldsOfChosen{&Decision::work},
                                     value("parent", &Decision::parent).sparse(),
                                     value("alternative", &Decision::alternative),
                                     count("weight", &Decision::weight),
                                     count("weight_error", &Decision::weight_error).sparse(),
                                     value("share", &Decision::share),
                                     value("predicted_gain_ns", &Decision::predicted_gain_ns),
                                     value("predicted_gain_total_ms", &Decision::predicted_gain_total_ms),
                                     value("growth_instructions", &Decision::growth_instructions),
                                     value("guard", &Decision::guard),
                                     value("reason", &Decision::reason),
                                     value("refusal", &Decision::refusal)};
};

template <>
struct Of<CountedRefusals> {
    static constexpr std::tuple rows{name("refusal", &CountedRefusals::refusal),
                                     count("count", &CountedRefusals::count).needed()};
};

}  // namespace fields

}  // namespace thalweg::model
