// measure: median, its interval, and ratios of runs of one round.
#include "measure/statistics.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace thalweg::measure {
namespace {

using model::Estimate;
using model::RunTimes;

// The kernel counts processor time in steps of about a microsecond; a run shorter than this has no ratio worth a name.
constexpr double shortest_time_s = 1e-6;

double binomial_half(uint32_t n, uint32_t k) {
    return std::exp(std::lgamma(n + 1.0) - std::lgamma(k + 1.0) - std::lgamma(n - k + 1.0) - n * std::log(2.0));
}

// What the interval from the k-th smallest to the k-th largest sample covers, k = 0, 1, ...
double coverage(uint32_t n, uint32_t k) {
    double below = 0;
    for (uint32_t i = 0; i <= k; ++i) {
        below += binomial_half(n, i);
    }
    return std::max(0.0, 1 - 2 * below);
}

double wall(const RunTimes &run) { return run.wall_s; }
double cpu(const RunTimes &run) { return run.user_s + run.system_s; }

Estimate ratio_of(const std::vector<RunTimes> &above, const std::vector<RunTimes> &below,
                  double (*time)(const RunTimes &)) {
    assert(above.size() == below.size());
    std::vector<double> ratios;
    for (size_t round = 0; round < above.size(); ++round) {
        ratios.push_back(std::max(time(above[round]), shortest_time_s) / std::max(time(below[round]), shortest_time_s));
    }
    return estimate_median(std::move(ratios));
}

}  // namespace

Estimate estimate_median(std::vector<double> samples) {
    Estimate estimate;
    estimate.n = static_cast<uint32_t>(samples.size());
    if (samples.empty()) {
        return estimate;
    }
    std::sort(samples.begin(), samples.end());
    const size_t half = samples.size() / 2;
    estimate.median = samples.size() % 2 == 1 ? samples[half] : (samples[half - 1] + samples[half]) / 2;
    uint32_t k = 0;
    while (2 * (k + 1) < estimate.n && coverage(estimate.n, k + 1) >= interval_confidence) {
        ++k;
    }
    estimate.low = samples[k];
    estimate.high = samples[samples.size() - 1 - k];
    estimate.confidence = coverage(estimate.n, k);
    return estimate;
}

void estimate_ratios(model::Measurement &measurement) {
    const model::Measurement &m = measurement;
    measurement.wall_ratio = ratio_of(m.candidate_runs, m.original_runs, wall);
    measurement.wall_noise = ratio_of(m.again_runs, m.original_runs, wall);
    measurement.cpu_ratio = ratio_of(m.candidate_runs, m.original_runs, cpu);
    measurement.cpu_noise = ratio_of(m.again_runs, m.original_runs, cpu);
}

}  // namespace thalweg::measure
