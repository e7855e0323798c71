// measure: median, its interval, and the decision whether a difference is more than noise.
#pragma once

#include <vector>

#include "model/measurement.h"

namespace thalweg::measure {

// The usual level at which intervals are stated.
inline constexpr double interval_confidence = 0.95;

// The median and, from order statistics, the narrowest symmetric pair of samples that encloses the true median with at
// least `interval_confidence`: P(x[k] <= median <= x[n-1-k]) = 1 - 2 * P(Binomial(n, 1/2) <= k). It assumes nothing of the
// distribution and needs no random numbers (W. J. Conover, Practical Nonparametric Statistics, 3rd ed., section 3.2;
// J.-Y. Le Boudec, Performance Evaluation of Computer and Communication Systems, theorem 2.1). Below six samples not even
// the extremes reach 95 %: they are given, with the confidence that they have.
model::Estimate estimate_median(std::vector<double> samples);

// Fills the four estimates from the runs; the three lists must be of one length.
void estimate_ratios(model::Measurement &measurement);

}  // namespace thalweg::measure
