// record: profiles of several runs are merged: nothing is lost, and the order of the runs does not matter.
#include "record/merge.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "model/arbitrary_test.h"

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

TEST(Merge, adds_up_each_library_by_itself) {
    Profile first = small_profile(), second = small_profile();
    first.libraries = {small_profile()};
    first.libraries[0].library = "liba.so";
    second.libraries = {small_profile(), small_profile()};
    second.libraries[0].library = "liba.so";
    second.libraries[1].library = "libb.so";
    Result<Profile> both = merge({first, second});
    ASSERT_TRUE(both) << both.error().message;
    ASSERT_EQ(both->libraries.size(), 2u);
    EXPECT_EQ(both->events[0].raises, 20u);
    EXPECT_EQ(both->libraries[0].library, "liba.so");
    EXPECT_EQ(both->libraries[0].events[0].raises, 20u);
    EXPECT_EQ(both->libraries[1].events[0].raises, 10u);
    second.libraries[0].build_id = "b2";
    EXPECT_THAT(merge({first, second}).error().message, HasSubstr("liba.so: the profiles are of different builds"));
}

Profile with_facts(std::vector<NotedValue> values) {
    Profile profile = small_profile();
    profile.functions = {{{"encode", 3, 60, {"a.c", 4, 0}, {1}}, 40}, {{"put", 4, 9, {}, {}}, 2}};
    profile.facts = {{0, FactKind::load, 2, 8, Steers::call, {"a.c", 9, 1}, 12, false, std::move(values)}};
    return profile;
}

TEST(Merge, adds_up_the_values_of_a_place) {
    Profile other = with_facts({{none, 7, 2}, {0, 8, 1}});
    std::swap(other.functions[0], other.functions[1]);
    other.functions[1].body.calls = {0};
    other.facts[0].function = 1;
    Result<Profile> both = merge({with_facts({{0, 8, 5}}), other});
    ASSERT_TRUE(both) << both.error().message;
    EXPECT_EQ(both->functions[0].body.name, "encode");
    EXPECT_EQ(both->functions[0].entries, 80u);
    EXPECT_EQ(both->functions[0].body.calls, std::vector<uint32_t>{1});
    ASSERT_EQ(both->facts.size(), 1u);
    EXPECT_EQ(both->facts[0].notes, 24u);
    EXPECT_EQ(both->facts[0].values, (std::vector<NotedValue>{{0, 8, 6}, {none, 7, 2}}));
}

TEST(Merge, keeps_apart_what_different_calls_led_to) {
    Profile one = with_facts({{none, 1, 5}});
    Profile other = with_facts({{none, 2, 5}});
    one.facts.push_back(one.facts[0]);
    one.facts[1].call = model::CallPlace{1, 4, {}};
    other.facts.push_back(other.facts[0]);
    other.facts[1].call = model::CallPlace{1, 5, {}};
    Result<Profile> both = merge({one, other, one});
    ASSERT_TRUE(both) << both.error().message;
    ASSERT_EQ(both->facts.size(), 3u);
    EXPECT_EQ(both->facts[0].values.size(), 2u);
    EXPECT_EQ(both->facts[1].call->ordinal, 4u);
    EXPECT_EQ(both->facts[1].values, (std::vector<NotedValue>{{none, 1, 10}}));
    EXPECT_EQ(both->facts[2].values, (std::vector<NotedValue>{{none, 2, 5}}));
}

Profile with_system_calls(uint32_t read, uint32_t write) {
    Profile profile = small_profile();
    profile.sites.resize(3);
    profile.sites[read] = {"copy", 0, 9, SiteKind::call, {}, "read"};
    profile.sites[write] = {"copy", 1, 9, SiteKind::call, {}, "write"};
    profile.system_calls = {{read, 10, 1, 2, 3, 400, 200, 5, 1000}};
    profile.system_call_edges = {{read, write, 9, 8, 7, 6, 5, 3, 600, read * 50}};
    profile.releases = {{write, read, 4}};
    profile.call_clock = model::CallClock::probes;
    return profile;
}

TEST(Merge, adds_up_system_calls_of_the_same_sites) {
    Result<Profile> both = merge({with_system_calls(1, 2), with_system_calls(2, 1)});
    ASSERT_TRUE(both) << both.error().message;
    ASSERT_EQ(both->sites.size(), 3u);
    ASSERT_EQ(both->system_calls.size(), 1u);
    const NotedSystemCall &call = both->system_calls[0];
    EXPECT_EQ(both->sites[call.site].callee, "read");
    EXPECT_EQ(call, (NotedSystemCall{call.site, 20, 2, 4, 6, 800, 400, 10, 2000}));
    ASSERT_EQ(both->system_call_edges.size(), 1u);
    const SystemCallEdge &edge = both->system_call_edges[0];
    EXPECT_EQ(both->sites[edge.to].callee, "write");
    EXPECT_EQ(edge, (SystemCallEdge{edge.from, edge.to, 18, 16, 14, 12, 10, 6, 1200, 50}));
    EXPECT_EQ(both->releases, (std::vector<Release>{{edge.to, edge.from, 8}}));
}

TEST(Merge, adds_up_times_of_events_and_their_errors) {
    Profile timed = small_profile();
    timed.events[0].time = {3, 900, 80, 600, 90};
    const Result<Profile> merged = merge({timed, small_profile(), timed});
    ASSERT_TRUE(merged) << merged.error().message;
    const auto found = std::ranges::find(merged->events, timed.events[0].name, &Event::name);
    EXPECT_EQ(found->time, (EventTime{6, 1800, 160, 1200, 180}));
}

TEST(Merge, of_what_was_not_timed_adds_no_time) {
    Profile untimed = with_system_calls(1, 2);
    untimed.system_calls[0].timed = untimed.system_calls[0].inside_ns = 0;
    SystemCallEdge &edge = untimed.system_call_edges[0];
    edge.timed = edge.between_ns = edge.least_ns = 0;
    untimed.call_clock = model::CallClock::none;
    Result<Profile> both = merge({untimed, with_system_calls(1, 2)});
    ASSERT_TRUE(both) << both.error().message;
    EXPECT_EQ(both->system_calls[0].timed, 5u);
    EXPECT_EQ(both->system_call_edges[0].least_ns, 50u);
    EXPECT_EQ(both->call_clock, model::CallClock::probes);
}

TEST(Merge, of_times_by_two_clocks_says_so) {
    Profile traced = with_system_calls(1, 2);
    traced.call_clock = model::CallClock::strace;
    EXPECT_EQ(merge({with_system_calls(1, 2), traced, traced})->call_clock, model::CallClock::several);
    EXPECT_EQ(merge({traced, traced})->call_clock, model::CallClock::strace);
}

TEST(Merge, keeps_apart_different_calls_in_one_place) {
    Profile other = with_system_calls(1, 2);
    other.sites[1].callee = "pread";
    Result<Profile> both = merge({with_system_calls(1, 2), other});
    ASSERT_TRUE(both) << both.error().message;
    EXPECT_EQ(both->system_calls.size(), 2u);
}

TEST(Merge, of_more_values_than_a_fact_has_varies) {
    Result<Profile> both =
        merge({with_facts({{none, 1, 1}, {none, 2, 1}, {none, 3, 1}}), with_facts({{none, 4, 1}, {none, 5, 1}})});
    ASSERT_TRUE(both) << both.error().message;
    EXPECT_TRUE(both->facts[0].varies);
    EXPECT_TRUE(both->facts[0].values.empty());
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
