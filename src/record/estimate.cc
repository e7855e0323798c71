// record: how far an estimate from samples may be off.
#include "record/estimate.h"

#include <algorithm>
#include <cmath>

namespace thalweg::record {

double independent_samples(double passed, double squares, double leftover) {
    const double all = squares + leftover * leftover;
    return passed <= 0 || all <= 0 ? 0 : passed * passed / all;
}

double error_of_share(double population, double share, double samples) {
    if (population <= 0)
        return 0;
    if (samples <= 0)
        return population;
    constexpr double z = standard_errors;
    const double p = std::clamp(share, 0.0, 1.0);
    const double widening = 1 + z * z / samples;
    const double centre = (p + z * z / (2 * samples)) / widening;
    const double half = z / widening * std::sqrt(p * (1 - p) / samples + z * z / (4 * samples * samples));
    return population * std::max(centre + half - p, p - (centre - half));
}

}  // namespace thalweg::record
