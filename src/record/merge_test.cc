// record: profiles of several runs are merged: nothing is lost, and the order of the runs does not matter.
#include "record/merge.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "model/arbitrary.h"

namespace thalweg::record {
namespace {

using namespace model;
using testing::HasSubstr;

Profile small_profile() {
    Profile profile{.program = "server", .build_id = "b1", .command = "./server"};
    profile.sites = {{"raise", 0, UINT64_MAX, SiteKind::event, {"a.cc", 1, 2}}};
    profile.symbols = {{"f", true, true, 7, 30, {}}, {"state", false, true, 0, 0, {}}};
    profile.events = {{"A", SiteKind::event, 10, 1}, {"B", SiteKind::event, 5, 0}};
    profile.edges = {{0, 1, RaiseMode::sync, 4}};
    profile.sequences = {{0, 0, {{0, 1, 8, 0}, {none, none, 0, 1}}, false, 10}};
    profile.nestings = {{0, 0, 1, 0, 1, 0, RaiseMode::sync, 5}};
    profile.guards = {{1, "A", 3, 1}};
    profile.coverage = {15, 15, 0, 1, 1, 1};
    return profile;
}

TEST(Merge, adds_the_weights_of_the_same_and_keeps_the_different) {
    Profile other = small_profile();
    other.events = {{"B", SiteKind::event, 1, 0}, {"A", SiteKind::event, 2, 0}};
    other.edges = {{1, 0, RaiseMode::sync, 3}, {1, 0, RaiseMode::async, 2}};
    Result<Profile> both = merge({small_profile(), other});
    ASSERT_TRUE(both) << both.error().message;
    EXPECT_EQ(both->events, (std::vector<Event>{{"A", SiteKind::event, 12, 1}, {"B", SiteKind::event, 6, 0}}));
    EXPECT_EQ(both->edges, (std::vector<Edge>{{0, 1, RaiseMode::sync, 7}, {0, 1, RaiseMode::async, 2}}));
    EXPECT_EQ(both->coverage.dispatches, 30u);
    EXPECT_EQ(both->guards[0].hits, 6u);
}

TEST(Merge, refuses_profiles_of_different_builds) {
    Profile other = small_profile();
    other.build_id = "b2";
    Result<Profile> both = merge({small_profile(), other});
    ASSERT_FALSE(both);
    EXPECT_THAT(both.error().message, HasSubstr("different builds (b1 and b2)"));
}

TEST(Merge, stops_at_the_largest_count_instead_of_wrapping_round) {
    Profile large = small_profile();
    large.edges[0].weight = max_count;
    EXPECT_EQ(merge({large, large})->edges[0].weight, max_count);
}

TEST(Merge, does_not_depend_on_order_or_grouping) {
    EXPECT_TRUE(rc::check([] {
        Profile a = arbitrary::profile(), b = arbitrary::profile(), c = arbitrary::profile();
        RC_ASSERT(*merge({a, b}) == *merge({b, a}));
        RC_ASSERT(*merge({*merge({a, b}), c}) == *merge({a, *merge({b, c})}));
        RC_ASSERT(*merge({*merge({a, b}), c}) == *merge({a, b, c}));
    }));
}

TEST(Merge, keeps_the_sum_of_all_weights) {
    EXPECT_TRUE(rc::check([] {
        Profile a = arbitrary::profile(), b = arbitrary::profile();
        auto sum = [](const Profile &profile) {
            unsigned __int128 total = 0;
            for (const Sequence &sequence : profile.sequences)
                total += sequence.count;
            return total;
        };
        if (sum(a) + sum(b) <= max_count)
            RC_ASSERT(sum(*merge({a, b})) == sum(a) + sum(b));
    }));
}

}  // namespace
}  // namespace thalweg::record
