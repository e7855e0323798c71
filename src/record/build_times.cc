// record: how long the dispatches of each event took, estimated from those that were timed.
#include "record/build_times.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "model/limits.h"
#include "record/estimate.h"

namespace thalweg::record {

namespace {

using model::EventTime;

// Fewer than these say nothing of how far their mean may be off.
constexpr uint64_t least_timed = 4;
// So far off that a sum with it is model::unknown_error.
constexpr double unknown_ns = 1e19;

// Of one dispatch.
struct Mean {
    bool is_known = false;
    double ns = 0;
    double error_ns = unknown_ns;
};

bool are_possible(const raw::Times &times) {
    for (const double sum :
         {times.weights, times.times, times.squared_weights, times.squared_weights_times, times.squares})
        if (!std::isfinite(sum))
            return false;
    return times.timed != 0 && times.weights > 0 && times.squared_weights >= 0 && times.squares >= 0;
}

// One that is most of all of the time of so many: an interrupt, a fault, or the hypervisor came between. What an event does now and then by
// itself is met more than once.
raw::Times without_accident(raw::Times times) {
    constexpr uint64_t many_timed = 16;
    const double weight = times.most_weight, time = times.most_time;
    if (times.timed < many_timed || weight * time <= times.times / 2)
        return times;
    --times.timed;
    times.weights -= weight;
    times.times -= weight * time;
    times.squared_weights -= weight * weight;
    times.squared_weights_times -= weight * weight * time;
    times.squares -= weight * weight * time * time;
    return times;
}

// The mean of a weighted sample and its error, as of a ratio estimator (Cochran, Sampling Techniques, 1977, section 6.3).
Mean mean_of(const raw::Times &all) {
    const raw::Times times = without_accident(all);
    if (!are_possible(times))
        return {};
    const double mean = times.times / times.weights;
    const double squares = times.squares - 2 * mean * times.squared_weights_times + mean * mean * times.squared_weights;
    if (!std::isfinite(squares))
        return {};
    const double error = standard_errors * std::sqrt(std::max(squares, 0.0)) / times.weights;
    return {true, mean, times.timed >= least_timed ? error : unknown_ns};
}

uint64_t bounded(double value) {
    constexpr double most = 9e18;
    if (!(value > 0))  // no number, too
        return 0;
    return value >= most ? model::max_count : static_cast<uint64_t>(value);
}

double product_error(double count, double count_error, const Mean &mean) {
    return count * mean.error_ns + count_error * mean.ns;
}

struct Sum {
    double ns = 0;
    double error_ns = 0;
};

// All raises of an event.
Sum sum_of(const model::Event &event, const Mean &mean) {
    const auto raises = static_cast<double>(event.raises);
    return {raises * mean.ns, product_error(raises, static_cast<double>(event.error), mean)};
}

void add_sums(raw::Times &total, const raw::Times &times) {
    total.timed = std::min(total.timed + std::min(times.timed, model::max_count / 2), model::max_count / 2);
    total.weights += times.weights;
    total.times += times.times;
    total.squared_weights += times.squared_weights;
    total.squared_weights_times += times.squared_weights_times;
    total.squares += times.squares;
    if (times.most_weight * times.most_time > total.most_weight * total.most_time) {
        total.most_weight = times.most_weight;
        total.most_time = times.most_time;
    }
}

// What was dispatched inside each event's dispatches took so long.
std::vector<Sum> inside_of(const model::Profile &profile, const std::vector<Mean> &means) {
    std::vector<Sum> inside(profile.events.size());
    for (const model::Nesting &nesting : profile.nestings) {
        const Mean &mean = means[nesting.child_event];
        const auto count = static_cast<double>(nesting.count);
        Sum &sum = inside[nesting.parent_event];
        sum.ns += count * mean.ns;
        sum.error_ns += product_error(count, static_cast<double>(nesting.error), mean);
    }
    return inside;
}

}  // namespace

void TimeBuilder::add(uint32_t event, const raw::Raise &raise) {
    add_sums(sums_[event].whole, raise.whole);
    add_sums(sums_[event].own, raise.own);
}

void TimeBuilder::finish(model::Profile &profile) const {
    std::vector<Mean> means(profile.events.size());
    for (const auto &[event, sums] : sums_)
        means[event] = mean_of(sums.whole);
    const std::vector<Sum> inside = inside_of(profile, means);
    for (const auto &[event, sums] : sums_) {
        model::Event &of = profile.events[event];
        if (!means[event].is_known)
            continue;
        const Sum whole = sum_of(of, means[event]);
        const Mean own_mean = mean_of(sums.own);
        const Sum own = own_mean.is_known ? sum_of(of, own_mean)
                                          : Sum{whole.ns - inside[event].ns, whole.error_ns + inside[event].error_ns};
        of.time.timed = sums.whole.timed;
        of.time.inside_ns = bounded(whole.ns);
        of.time.inside_error_ns = bounded(whole.error_ns);
        of.time.own_ns = std::min(bounded(own.ns), of.time.inside_ns);
        of.time.own_error_ns = bounded(own.error_ns);
    }
}

}  // namespace thalweg::record
