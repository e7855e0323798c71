// settle: decisions that save next to nothing of the run.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "settle/light.h"

namespace thalweg::settle {
namespace {

using model::Decision;
using model::DecisionKind;
using model::Verdict;

constexpr double instruction_ns = 0.17;
constexpr uint64_t hundred_ms = 588'235'294;

Decision decision(uint32_t id, double saved_ms, DecisionKind kind = DecisionKind::specialize, uint32_t parent = 0) {
    Decision one;
    one.id = id;
    one.work = model::work_of(kind);
    one.parent = parent;
    one.predicted_gain_total_ms = saved_ms;
    return one;
}

// `counted`: layers whose gain was counted when they were made on trial.
std::vector<uint32_t> applied(model::Plan plan, uint64_t executed, const std::vector<uint32_t> &counted = {}) {
    model::Outcome tried{.executed_instructions = executed};
    for (const uint32_t layer : counted)
        tried.decisions.push_back({.decision = layer, .applied = true, .saved_instructions = 1000});
    refuse_light(plan, tried, instruction_ns);
    std::vector<uint32_t> found;
    for (const Decision &one : plan.decisions)
        if (one.verdict == Verdict::apply)
            found.push_back(one.id);
        else
            EXPECT_EQ(one.refusal, "too-light");
    return found;
}

TEST(Light, is_what_saves_less_than_half_a_hundredth_of_the_run) {
    const model::Plan plan{.decisions = {decision(1, 0.6), decision(2, 0.4), decision(3, 0.3, DecisionKind::merge)}};
    EXPECT_EQ(applied(plan, hundred_ms), (std::vector<uint32_t>{1}));
    EXPECT_EQ(applied(plan, hundred_ms / 2), (std::vector<uint32_t>{1, 2, 3}));
    EXPECT_EQ(applied(plan, 0), (std::vector<uint32_t>{1, 2, 3})) << "how long the run was is not known";
}

TEST(Light, is_nothing_of_many_that_save_something_together) {
    model::Plan plan;
    for (uint32_t id = 1; id <= 10; ++id)
        plan.decisions.push_back(decision(id, 0.2, DecisionKind::merge));
    EXPECT_EQ(applied(plan, hundred_ms).size(), 10u);
    plan.decisions.resize(4);
    EXPECT_EQ(applied(plan, hundred_ms).size(), 0u);
}

TEST(Light, is_what_others_have_to_make_up_for) {
    model::Plan plan;
    for (uint32_t id = 1; id <= 10; ++id)
        plan.decisions.push_back(decision(id, 0.2, DecisionKind::merge));
    for (uint32_t id = 11; id <= 30; ++id)
        plan.decisions.push_back(decision(id, 0.09, DecisionKind::merge));
    EXPECT_EQ(applied(plan, hundred_ms).size(), 10u) << "those with a thousandth each, and not the smaller ones";
    plan.decisions.erase(plan.decisions.begin(), plan.decisions.begin() + 6);
    EXPECT_EQ(applied(plan, hundred_ms).size(), 0u) << "which don't make four into enough";
}

// What they may save at most says nothing of what they save together.
TEST(Light, is_not_saved_from_by_layers) {
    model::Plan plan{.decisions = {decision(1, 0.4, DecisionKind::merge)}};
    for (uint32_t id = 2; id <= 10; ++id)
        plan.decisions.push_back(decision(id, 0.4));
    EXPECT_EQ(applied(plan, hundred_ms).size(), 0u);
    EXPECT_EQ(applied(plan, hundred_ms, {2, 3}).size(), 10u) << "but by those of which it was counted";
}

TEST(Light, is_a_line_with_all_that_it_takes_in_or_none_of_it) {
    const model::Plan plan{
        .decisions = {decision(1, 0.3, DecisionKind::merge), decision(2, 0.3, DecisionKind::subsume, 1),
                      decision(3, 0.1, DecisionKind::merge), decision(4, 0.1, DecisionKind::subsume, 3)}};
    EXPECT_EQ(applied(plan, hundred_ms), (std::vector<uint32_t>{1, 2}));
}

TEST(Light, is_no_system_call_no_cache_and_nothing_that_a_user_declared) {
    model::Plan plan{
        .decisions = {decision(1, 0.01, DecisionKind::elide), decision(2, 0), decision(3, 0.01, DecisionKind::cache)}};
    plan.decisions[1].provenance = model::Provenance::declared;
    EXPECT_EQ(applied(plan, hundred_ms), (std::vector<uint32_t>{1, 2, 3}));
}

}  // namespace
}  // namespace thalweg::settle
