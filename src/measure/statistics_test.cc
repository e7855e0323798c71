// measure: tests of the statistics against values worked out by hand and against simulated medians.
#include "measure/statistics.h"

#include <random>

#include <gtest/gtest.h>

namespace thalweg::measure {
namespace {

using model::Estimate;
using model::Measurement;

TEST(Statistics, the_median_of_an_even_number_is_the_middle_of_the_two_in_the_middle) {
    EXPECT_DOUBLE_EQ(estimate_median({4, 1, 3, 2}).median, 2.5);
    EXPECT_DOUBLE_EQ(estimate_median({5, 1, 3}).median, 3);
}

TEST(Statistics, of_ten_samples_the_second_and_the_ninth_enclose_the_median) {
    const Estimate estimate = estimate_median({10, 9, 8, 7, 6, 5, 4, 3, 2, 1});
    EXPECT_DOUBLE_EQ(estimate.low, 2);
    EXPECT_DOUBLE_EQ(estimate.high, 9);
    EXPECT_NEAR(estimate.confidence, 1 - 2 * 11.0 / 1024, 1e-12);  // 1 + 10 of 1024 outcomes on either side
}

TEST(Statistics, fewer_than_six_samples_do_not_claim_95_percent) {
    EXPECT_NEAR(estimate_median({1, 2, 3, 4, 5}).confidence, 0.9375, 1e-12);
    EXPECT_GE(estimate_median({1, 2, 3, 4, 5, 6}).confidence, interval_confidence);
    EXPECT_EQ(estimate_median({}).n, 0u);
    EXPECT_DOUBLE_EQ(estimate_median({7}).confidence, 0);
}

TEST(Statistics, the_interval_holds_the_true_median_at_least_as_often_as_it_says) {
    std::mt19937 random(20020617);
    std::lognormal_distribution<double> skewed(0, 1);  // its median is 1
    int held = 0;
    constexpr int tries = 2000;
    for (int i = 0; i < tries; ++i) {
        std::vector<double> samples(15);
        for (double &sample : samples) {
            sample = skewed(random);
        }
        const Estimate estimate = estimate_median(samples);
        held += estimate.low <= 1 && 1 <= estimate.high;
    }
    EXPECT_GE(held, tries * 94 / 100);  // 96.5 % are promised for 15 samples
}

TEST(Statistics, ratios_are_taken_within_a_round) {
    Measurement measurement;
    for (double load : {1.0, 10.0, 100.0}) {  // the machine gets slower; each round sees the same load
        measurement.original_runs.push_back({load, load / 2, load / 2, 1});
        measurement.again_runs.push_back({load, load / 2, load / 2, 1});
        measurement.candidate_runs.push_back({load / 2, load / 8, load / 8, 1});
    }
    estimate_ratios(measurement);
    EXPECT_DOUBLE_EQ(measurement.wall_ratio.low, 0.5);
    EXPECT_DOUBLE_EQ(measurement.wall_ratio.high, 0.5);
    EXPECT_DOUBLE_EQ(measurement.cpu_ratio.median, 0.25);
    EXPECT_DOUBLE_EQ(measurement.wall_noise.median, 1);
}

TEST(Statistics, a_program_that_used_no_time_at_all_does_not_divide_by_zero) {
    Measurement measurement;
    measurement.original_runs = {{}};
    measurement.again_runs = {{}};
    measurement.candidate_runs = {{}};
    estimate_ratios(measurement);
    EXPECT_DOUBLE_EQ(measurement.cpu_ratio.median, 1);
}

}  // namespace
}  // namespace thalweg::measure
