// plan: which events count together.
#include "plan/pooled.h"

#include <gtest/gtest.h>

namespace thalweg::plan {
namespace {

using model::none;
using model::RaiseMode;
using model::SiteKind;

// Two functions; three events, of which the first two run the first one and the third the other.
model::Profile profile_of(const std::vector<std::string> &names) {
    model::Profile profile;
    profile.sites = {{"raise", 0, 7, SiteKind::event, {}}};
    profile.symbols = {{"one", true, true, 1, 9, {}}, {"other", true, true, 2, 9, {}}};
    for (uint32_t i = 0; i < names.size(); ++i) {
        profile.events.push_back({names[i], SiteKind::event, 10, 1, 2});
        profile.sequences.push_back({0, i, {{i < 2 ? 0u : 1u, none, 0, 0}}, false, 10, 2});
        profile.edges.push_back({i, 0, RaiseMode::sync, 5, 1});
    }
    return profile;
}

TEST(Pooled, unnamed_events_of_one_place_that_run_the_same_count_together) {
    const model::Profile result = pooled(profile_of({"a.cc:12", "a.cc:12 #2", "a.cc:12 #3"}));
    ASSERT_EQ(result.events.size(), 3u);
    EXPECT_EQ(result.events[0], (model::Event{"a.cc:12", SiteKind::event, 20, 2, 4}));
    EXPECT_EQ(result.events[1].raises, 0u);
    EXPECT_EQ(result.events[2].raises, 10u) << "it runs another function";
    ASSERT_EQ(result.sequences.size(), 2u);
    EXPECT_EQ(result.sequences[0].count, 20u);
    EXPECT_EQ(result.sequences[0].error, 4u);
    ASSERT_EQ(result.edges.size(), 2u);
    EXPECT_EQ(result.edges[0].weight, 10u);
    EXPECT_TRUE(validate(result));
}

TEST(Pooled, events_with_names_stay_apart) {
    for (const auto &names :
         {std::vector<std::string>{"A", "B", "C"}, {"A", "A #2", "A #3"}, {"a.cc:12", "a.cc:13", "b.cc:12"}}) {
        const model::Profile profile = profile_of(names);
        EXPECT_EQ(pooled(profile), profile) << names[1];
    }
}

}  // namespace
}  // namespace thalweg::plan
