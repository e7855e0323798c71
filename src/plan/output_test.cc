// plan: tests of which calls that print or read are written in place, each refusal with the neighbour that is not refused.
#include "plan/output.h"

#include <gtest/gtest.h>

namespace thalweg::plan {
namespace {

using model::Decision;
using model::Plan;
using model::Profile;
using model::Site;
using model::SiteKind;

Site call_of(const char *callee, uint32_t ordinal) {
    return {"report", ordinal, 7, SiteKind::call, {"r.c", 8, 0}, callee};
}

// Prints 10,000 lines, and as many bytes.
Profile program() {
    Profile profile;
    profile.instructions = 100000;
    profile.sites = {call_of("putc", 0), call_of("fprintf", 1), call_of("snprintf", 2)};
    profile.output_calls = {{0, 10000}, {1, 10000}, {2, 9000}};
    return profile;
}

Plan plan_of(const Profile &profile, const Bounds &bounds = {}) {
    Plan plan;
    plan_output(profile, {}, bounds, plan);
    EXPECT_TRUE(model::validate(plan));
    return plan;
}

std::string refusal(const Decision &decision) {
    EXPECT_EQ(decision.verdict == model::Verdict::apply, decision.refusal.empty());
    return decision.refusal.empty() ? "applied" : decision.refusal;
}

TEST(Output, IsWrittenInPlaceTheDearestFirst) {
    const Plan plan = plan_of(program());
    ASSERT_EQ(plan.decisions.size(), 3);
    for (const Decision &decision : plan.decisions) {
        EXPECT_EQ(decision.kind(), model::DecisionKind::expand);
        EXPECT_EQ(refusal(decision), "applied");
    }
    EXPECT_EQ(plan.decisions[0].event, "fprintf in report");
    EXPECT_EQ(plan.decisions[0].weight, 10000);
    EXPECT_EQ(plan.decisions[1].event, "snprintf in report");
    EXPECT_EQ(plan.decisions[2].event, "putc in report");
    EXPECT_NE(plan.decisions[0].guard, plan.decisions[1].guard) << "memory has no stream to ask";
}

TEST(Output, ComesBehindWhatThePlanHasAlready) {
    Plan plan;
    plan.decisions.push_back({.id = 3, .site = {.function = "report"}, .work = model::Specialize{}});
    plan_output(program(), {}, {}, plan);
    ASSERT_EQ(plan.decisions.size(), 4);
    EXPECT_EQ(plan.decisions.back().id, 6);
}

TEST(Output, IsRefusedWhereLoadingItsCodeTakesLonger) {
    Profile profile = program();
    profile.output_calls = {{1, 3}};
    EXPECT_EQ(refusal(plan_of(profile).decisions.front()), "too-cold");
    profile.output_calls = {{1, 4}};
    EXPECT_EQ(refusal(plan_of(profile).decisions.front()), "applied");
}

TEST(Output, IsRefusedBelowEta) {
    EXPECT_EQ(refusal(plan_of(program(), {.eta = 10001}).decisions.front()), "too-cold");
    EXPECT_EQ(refusal(plan_of(program(), {.eta = 10000}).decisions.front()), "applied");
}

TEST(Output, HasTheRoomOfTheProgram) {
    // 100 of 100,000 instructions: the first alone.
    const Plan plan = plan_of(program(), {.max_growth_percent = 0.1});
    EXPECT_EQ(refusal(plan.decisions[0]), "applied");
    EXPECT_EQ(refusal(plan.decisions[1]), "too-large");
    EXPECT_EQ(refusal(plan.decisions[2]), "too-large");
}

TEST(Output, OfInputSaysWhatIsAskedOfTheBuffer) {
    Profile profile = program();
    profile.sites = {call_of("getc", 0), call_of("getline", 1), call_of("ungetc", 2), call_of("getpid", 3)};
    profile.output_calls = {{0, 10000}, {1, 10000}, {2, 9000}, {3, 9000}};
    const Plan plan = plan_of(profile);
    ASSERT_EQ(plan.decisions.size(), 3) << "getpid uses no buffer";
    for (const Decision &decision : plan.decisions)
        EXPECT_EQ(refusal(decision), "applied");
    EXPECT_EQ(plan.decisions[0].event, "getline in report");
    EXPECT_EQ(plan.decisions[1].event, "getc in report");
    EXPECT_EQ(plan.decisions[2].event, "ungetc in report");
    EXPECT_NE(plan.decisions[1].guard, plan.decisions[2].guard);
    profile.output_calls = {{0, 3}};
    EXPECT_EQ(refusal(plan_of(profile).decisions.front()), "too-cold");
}

TEST(Output, IsNothingWhereNothingWasPrinted) {
    Profile profile = program();
    profile.output_calls.clear();
    EXPECT_TRUE(plan_of(profile).decisions.empty());
}

}  // namespace
}  // namespace thalweg::plan
