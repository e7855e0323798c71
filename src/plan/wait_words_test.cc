// plan: what is said of triggers and waits.
#include "plan/wait_words.h"

#include <vector>

#include <gtest/gtest.h>

namespace thalweg::plan {
namespace {

using model::Profile;
using model::SiteKind;

// A trigger in function 0, and waits in function 1; event 0 is triggered, and 1 and 2 go on.
Profile profile() {
    Profile profile;
    profile.functions.resize(3);
    for (uint32_t i = 0; i < 3; ++i)
        profile.functions[i].body.name = std::string(1, static_cast<char>('a' + i));
    profile.sites = {
        {"a", 0, 1, SiteKind::trigger, {}}, {"b", 0, 1, SiteKind::wait, {}}, {"b", 1, 1, SiteKind::wait, {}}};
    profile.events = {
        {"x.cc:1", SiteKind::trigger, 9, 0}, {"x.cc:2 b", SiteKind::wait, 4, 0}, {"x.cc:3 b", SiteKind::wait, 5, 0}};
    profile.nestings = {{0, 0, 0, 0, 1, 1, model::RaiseMode::sync, 4}, {0, 0, 0, 0, 2, 2, model::RaiseMode::sync, 5}};
    return profile;
}

TEST(WaitWords, name_the_most_frequent_first) {
    const Profile waits = profile();
    EXPECT_EQ(WaitWords(waits).of(std::vector<uint32_t>{0, 1}),
              " One path: x.cc:1 leads on to x.cc:3 b 5 times, x.cc:1 leads on to x.cc:2 b 4 times.");
}

TEST(WaitWords, are_none_where_trigger_or_wait_is_elsewhere) {
    const Profile waits = profile();
    EXPECT_EQ(WaitWords(waits).of(std::vector<uint32_t>{0, 2}), "");
    EXPECT_EQ(WaitWords(waits).of(std::vector<uint32_t>{1, 2}), "");
}

TEST(WaitWords, count_what_they_do_not_name) {
    Profile many = profile();
    for (uint32_t i = 0; i < 3; ++i) {
        many.events.push_back({"y.cc:" + std::to_string(i), SiteKind::trigger, 1, 0});
        many.nestings.push_back({3 + i, 0, 0, 0, 1, 1, model::RaiseMode::sync, 1});
    }
    EXPECT_TRUE(
        WaitWords(many).of(std::vector<uint32_t>{0, 1}).ends_with("y.cc:0 leads on to x.cc:2 b 1 times, and 2 more."));
}

}  // namespace
}  // namespace thalweg::plan
