// measure: tests of a simulated cache of calls' results.
#include "measure/result_cache.h"

#include <gtest/gtest.h>

namespace thalweg::measure {
namespace {

using Hits = std::array<uint64_t, 3>;

model::RepeatedCalls counts_of(const ResultCache &cache) {
    model::RepeatedCalls counts;
    cache.add_to(counts);
    return counts;
}

// `different` arguments in turn, all of them `rounds` times.
model::RepeatedCalls in_turn(size_t different, size_t rounds) {
    ResultCache cache;
    for (size_t i = 0; i < different * rounds; ++i)
        cache.add("file " + std::to_string(i % different), i % different);
    return counts_of(cache);
}

TEST(ResultCache, hits_from_the_second_call_on) {
    EXPECT_EQ(in_turn(1, 10).hits, (Hits{9, 9, 9}));
    EXPECT_EQ(in_turn(16, 10).hits, (Hits{0, 144, 144}));
    EXPECT_EQ(in_turn(64, 10).hits, (Hits{0, 0, 576}));
}

TEST(ResultCache, hits_nothing_where_one_more_comes_in_turn_than_it_has_entries) {
    EXPECT_EQ(in_turn(17, 10).hits, (Hits{0, 0, 153}));
    EXPECT_EQ(in_turn(65, 10).hits, (Hits{0, 0, 0}));
    EXPECT_EQ(in_turn(65, 10).arguments, 65u);
    EXPECT_EQ(in_turn(65, 10).calls, 650u);
}

TEST(ResultCache, drops_what_was_not_used_for_longest) {
    ResultCache cache;
    for (size_t i = 0; i < 100; ++i) {
        cache.add("often", 0);
        cache.add("once " + std::to_string(i), 0);
    }
    EXPECT_EQ(counts_of(cache).hits, (Hits{0, 99, 99}));
}

TEST(ResultCache, takes_another_result_for_the_same_arguments_as_a_change_and_no_hit) {
    ResultCache cache;
    for (const uint64_t result : {1, 1, 2, 2, 1})
        cache.add("file", result);
    cache.add("other", 5);
    const model::RepeatedCalls counts = counts_of(cache);
    EXPECT_EQ(counts.hits, (Hits{2, 2, 2}));
    EXPECT_EQ(counts.changed, 2u);
    EXPECT_EQ(counts.changing, (model::RepeatedExample{"file", 2}));
    EXPECT_EQ(counts.commonest, (model::RepeatedExample{"file", 5}));
}

TEST(ResultCache, knows_a_change_of_what_it_no_longer_keeps) {
    ResultCache cache;
    cache.add("file", 1);
    for (size_t i = 0; i < 100; ++i)
        cache.add(std::to_string(i), 0);
    cache.add("file", 2);
    EXPECT_EQ(counts_of(cache).changed, 1u);
}

TEST(ResultCache, keeps_nothing_from_one_program_to_the_next) {
    ResultCache cache;
    cache.add("file", 1);
    cache.forget();
    cache.add("file", 2);
    const model::RepeatedCalls counts = counts_of(cache);
    EXPECT_EQ(counts.calls, 2u);
    EXPECT_EQ(counts.changed, 0u);
    EXPECT_EQ(counts.hits, (Hits{0, 0, 0}));
}

}  // namespace
}  // namespace thalweg::measure
