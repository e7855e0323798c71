// plan: parts of a layer's entries, for profiles made by hand.
#include "plan/layer_flow.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "model/arbitrary_test.h"

namespace thalweg::plan {
namespace {

using model::FactKind;
using model::none;
using model::NotedFact;
using model::Profile;
using model::Steers;

// encode and decode, which are entered 300 and 100 times, both lead to put.
Profile two_callers() {
    Profile profile;
    profile.symbols = {{"put", true, true, 3, 9, {}}};
    profile.functions = {
        {{"encode", 1, 40, {}, {2}}, 300}, {{"decode", 2, 40, {}, {2}}, 100}, {{"put", 3, 9, {}, {}}, 4000}};
    return profile;
}

double part_of(const Profile &profile, uint32_t root, uint32_t function) {
    std::vector<uint32_t> all;
    for (uint32_t i = 0; i < profile.functions.size(); ++i)
        all.push_back(i);
    return EntryFlow(profile).parts_of(root, all).at(function);
}

TEST(EntryFlow, of_a_root_all_entries_are_its_own) {
    EXPECT_EQ(part_of(two_callers(), 0, 0), 1);
    EXPECT_EQ(part_of(two_callers(), 0, 1), 0);
}

TEST(EntryFlow, goes_by_the_callers_entries) {
    EXPECT_NEAR(part_of(two_callers(), 0, 2), 0.75, 1e-9);
    EXPECT_NEAR(part_of(two_callers(), 1, 2), 0.25, 1e-9);
}

TEST(EntryFlow, follows_pointers_that_kept_to_functions) {
    Profile profile = two_callers();
    profile.functions[0].body.calls.clear();
    profile.facts = {{0, FactKind::load, 3, 8, Steers::call, {}, 50, false, {{0, 0, 50}}}};
    EXPECT_NEAR(part_of(profile, 0, 2), 0.75, 1e-9);
    profile.facts[0].steers = Steers::branch;
    EXPECT_EQ(part_of(profile, 0, 2), 0);
}

TEST(EntryFlow, goes_through_functions_that_were_not_counted) {
    Profile profile = two_callers();
    profile.functions[0].body.calls = {3};
    profile.functions.push_back({{"between", 4, 5, {}, {2}}, 0});
    EXPECT_NEAR(part_of(profile, 0, 2), 0.75, 1e-9);
}

// Messages in messages: one entry in 20 comes from outside, and all are the root's.
TEST(EntryFlow, counts_what_comes_back_to_itself_for_who_began_it) {
    Profile profile = two_callers();
    profile.functions[1].body.calls.clear();
    profile.functions[2].body.calls = {2};
    profile.functions[2].entries = 6000;
    EXPECT_NEAR(part_of(profile, 0, 2), 1, 0.01);
}

TEST(EntryFlow, comes_to_an_end_where_functions_call_each_other) {
    Profile profile = two_callers();
    profile.functions[2].body.calls = {0};
    const double part = part_of(profile, 1, 2);
    EXPECT_GT(part, 0);
    EXPECT_LE(part, 1);
}

TEST(EntryFlow, is_between_none_and_all_for_any_profile) {
    EXPECT_TRUE(rc::check([] {
        const Profile profile = model::arbitrary::profile();
        for (uint32_t root = 0; root < profile.functions.size(); ++root)
            for (uint32_t function = 0; function < profile.functions.size(); ++function) {
                const double part = part_of(profile, root, function);
                RC_ASSERT(part >= 0 && part <= 1);
            }
    }));
}

} // namespace
} // namespace thalweg::plan
