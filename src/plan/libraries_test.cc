// plan: tests: one plan for a program and its shared libraries.
#include "plan/libraries.h"

#include <gtest/gtest.h>

namespace thalweg::plan {
namespace {

model::Decision decision(uint32_t id, uint32_t parent = 0) {
    model::Decision one;
    one.id = id;
    one.parent = parent;
    return one;
}

model::Plan of_both() {
    model::Plan program, library;
    program.decisions = {decision(1), decision(2, 1)};
    library.decisions = {decision(1), decision(2, 1)};
    program.left_out = {{"too-cold", 3}};
    library.left_out = {{"too-cold", 4}, {"too-light", 1}};
    append_library("libx.so", library, program);
    return program;
}

TEST(Libraries, AreNumberedBehindTheProgram) {
    const model::Plan plan = of_both();
    ASSERT_EQ(plan.decisions.size(), 4u);
    EXPECT_EQ(plan.decisions[2].id, 3u);
    EXPECT_EQ(plan.decisions[2].parent, 0u);
    EXPECT_EQ(plan.decisions[3].id, 4u);
    EXPECT_EQ(plan.decisions[3].parent, 3u);
    EXPECT_EQ(plan.decisions[3].library, "libx.so");
    EXPECT_EQ(plan.decisions[1].library, "");
    EXPECT_EQ(plan.left_out, (std::vector<model::CountedRefusals>{{"too-cold", 7}, {"too-light", 1}}));
}

TEST(Libraries, HaveTheirOwnPartOfThePlan) {
    const model::Plan plan = of_both();
    EXPECT_EQ(part_for(plan, "").decisions.size(), 2u);
    EXPECT_EQ(part_for(plan, "libx.so").decisions.front().id, 3u);
    EXPECT_TRUE(part_for(plan, "liby.so").decisions.empty());
}

TEST(Libraries, WhatBecameOfAPartIsPutBack) {
    model::Plan plan = of_both();
    model::Plan part = part_for(plan, "libx.so");
    part.decisions.front().verdict = model::Verdict::refuse;
    put_back(part, plan);
    EXPECT_EQ(plan.decisions[2].verdict, model::Verdict::refuse);
    EXPECT_EQ(plan.decisions[0].verdict, model::Verdict::apply);
}

}  // namespace
}  // namespace thalweg::plan
