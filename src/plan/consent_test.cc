// plan: tests of what is believed without a test.
#include "plan/consent.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace thalweg::plan {

namespace {

using model::Decision;
using model::DecisionKind;
using model::Verdict;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

model::Plan plan_that_wants_belief() {
    model::Plan plan;
    plan.decisions.resize(2);
    Decision &layer = plan.decisions[0];
    layer.id = 1;
    layer.site.function = "send";
    layer.work = model::Specialize{{{.function = "send", .width = 8, .values = {{"", 1}}, .trusted = true},
                                    {.function = "send", .ordinal = 1, .width = 8, .values = {{"", 2}}}}};
    Decision &calls = plan.decisions[1];
    calls.id = 2;
    calls.site = {.function = "ask", .kind = model::SiteKind::call};
    calls.work = model::Overlap{{}, {{0x20000199, 1, {1, 2}}}};
    return plan;
}

const std::vector<model::IndependentCalls> &independent_of(const Decision &decision) {
    return std::get<model::Overlap>(decision.work).independent;
}

}  // namespace

TEST(Consent, a_plan_is_not_believed) {
    model::Plan plan = plan_that_wants_belief();
    const std::vector<std::string> said = keep_to_consent(plan, {});
    ASSERT_THAT(said, SizeIs(2));
    EXPECT_THAT(said[0], HasSubstr("a fact that the plan calls trusted is tested"));
    EXPECT_THAT(said[1], HasSubstr("--independent 0x20000199:1:1,2"));
    EXPECT_FALSE(plan.decisions[0].facts()[0].trusted);
    EXPECT_EQ(plan.decisions[0].verdict, Verdict::apply);
    EXPECT_EQ(plan.decisions[1].verdict, Verdict::refuse);
    EXPECT_THAT(independent_of(plan.decisions[1]), IsEmpty());
    EXPECT_TRUE(model::validate(plan));
}

TEST(Consent, the_command_line_is_believed) {
    model::Plan plan = plan_that_wants_belief();
    EXPECT_THAT(keep_to_consent(plan, {true, {{0x20000199, 1, {2}}}}), IsEmpty());
    EXPECT_TRUE(plan.decisions[0].facts()[0].trusted);
    EXPECT_FALSE(plan.decisions[0].facts()[1].trusted);
    EXPECT_EQ(plan.decisions[1].verdict, Verdict::apply);
    EXPECT_EQ(independent_of(plan.decisions[1]), (std::vector<model::IndependentCalls>{{0x20000199, 1, {2}}}));
}

TEST(Consent, of_one_thing_is_none_of_the_other) {
    model::Plan plan = plan_that_wants_belief();
    EXPECT_THAT(keep_to_consent(plan, {true, {}}), SizeIs(1));
    EXPECT_TRUE(plan.decisions[0].facts()[0].trusted);
    EXPECT_EQ(plan.decisions[1].verdict, Verdict::refuse);
}

TEST(Consent, what_needs_none_stays) {
    model::Plan plan = plan_that_wants_belief();
    std::get<model::Specialize>(plan.decisions[0].work).facts[0].trusted = false;
    plan.decisions[1].verdict = Verdict::refuse;
    const model::Plan before = plan;
    EXPECT_THAT(keep_to_consent(plan, {}), IsEmpty());
    EXPECT_EQ(plan, before);
}

}  // namespace thalweg::plan
