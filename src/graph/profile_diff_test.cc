// graph: two profiles held against each other.
#include "graph/profile_diff.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "model/arbitrary_test.h"

namespace thalweg::graph {
namespace {

using model::Profile;

Profile two_events() {
    Profile profile;
    profile.sites = {{"raise", 0, 1, model::SiteKind::event, {}}};
    profile.symbols = {{"f", true, true, 1, 5, {}}, {"g", true, true, 1, 5, {}}};
    profile.events = {{"A", model::SiteKind::event, 100, 0}, {"B", model::SiteKind::event, 100, 0}};
    profile.edges = {{0, 1, model::RaiseMode::sync, 100}};
    profile.sequences = {{0, 0, {{0}, {1}}, false, 100}};
    return profile;
}

TEST(Diff, of_a_profile_and_a_longer_run_of_the_same_is_empty) {
    EXPECT_TRUE(rc::check([] {
        Profile profile = model::arbitrary::profile();
        RC_ASSERT(diff(profile, profile) == model::ProfileDiff{});
    }));
    Profile longer = two_events();
    longer.events[0].raises = longer.events[1].raises = 1000;
    longer.edges[0].weight = 7;
    longer.sequences[0].count = 3;
    EXPECT_EQ(diff(two_events(), longer), model::ProfileDiff{});
}

TEST(Diff, names_what_came_and_what_went_by_name_whatever_the_numbering) {
    Profile after = two_events();
    std::swap(after.symbols[0], after.symbols[1]);
    after.events[1].name = "C";
    model::ProfileDiff found = diff(two_events(), after);
    ASSERT_EQ(found.events.size(), 2u);
    EXPECT_EQ(found.events[0], (model::DiffEntry{"B", 100, 0, 0.5, 0}));
    EXPECT_EQ(found.events[1], (model::DiffEntry{"C", 0, 100, 0, 0.5}));
    EXPECT_EQ(found.edges[0].what, "A -> B (sync)");
    EXPECT_EQ(found.sequences[0].what, "A: f g");
    EXPECT_EQ(found.sequences[1].what, "A: g f");
}

TEST(Diff, is_turned_round_when_the_profiles_are) {
    EXPECT_TRUE(rc::check([] {
        Profile a = model::arbitrary::profile(), b = model::arbitrary::profile();
        auto turned = diff(b, a).edges;
        for (model::DiffEntry &entry : turned) {
            std::swap(entry.before, entry.after);
            std::swap(entry.share_before, entry.share_after);
        }
        RC_ASSERT(turned == diff(a, b).edges);
    }));
}

Profile with_calls() {
    Profile profile;
    profile.sites = {{"copy", 0, 1, model::SiteKind::call, {"copy.c", 12, 3}, "read"},
                     {"copy", 1, 1, model::SiteKind::call, {"copy.c", 13, 3}, "write"}};
    profile.system_calls = {{0, 100, 0, 0, 0, 0, 0}, {1, 100, 0, 0, 0, 0, 0}};
    profile.system_call_edges = {{0, 1, 100, 0, 0, 0, 0, 10, 5000, 100}, {1, 0, 100, 0, 0, 0, 0, 0, 0, 0}};
    profile.call_clock = model::CallClock::probes;
    return profile;
}

TEST(Diff, tells_which_system_calls_came_and_what_follows_them) {
    Profile after = with_calls();
    after.sites[1].callee = "writev";
    const model::ProfileDiff found = diff(with_calls(), after);
    ASSERT_EQ(found.system_calls.size(), 2u);
    EXPECT_EQ(found.system_calls[0], (model::DiffEntry{"write (copy.c:13)", 100, 0, 0.5, 0}));
    ASSERT_EQ(found.system_call_edges.size(), 4u);
    EXPECT_EQ(found.system_call_edges[0].what, "read (copy.c:12) -> write (copy.c:13)");
    EXPECT_TRUE(found.edges.empty());
}

TEST(Diff, of_longer_times_between_the_same_calls_is_empty) {
    Profile after = with_calls();
    after.system_call_edges[0].between_ns = 9000;
    EXPECT_EQ(diff(with_calls(), after), model::ProfileDiff{}) << "of two runs no two times are the same";
}

}  // namespace
}  // namespace thalweg::graph
