// record: how far an estimate from samples may be off.
#pragma once

#include <cstdint>

namespace thalweg::record {

// Errors are three standard errors: of a thousand estimates three are further off, where the samples are independent.
inline constexpr double standard_errors = 3;

// Of what passed between the samples, and of what the samples attributed (raw::Slot): how many independent samples would say as much.
// L. Kish, Survey Sampling (1965): (sum of the weights)^2 / sum of their squares. The dispatches of one sample count as one, as if they all
// did the same; what no sample was attributed counts as one sample more.
double independent_samples(double passed, double squares, double leftover);

// `share` of so many was seen in so many samples: how far the number may be off, at either side. The interval of E. B. Wilson, "Probable
// inference, the law of succession, and statistical inference", Journal of the American Statistical Association 22 (1927), which holds for
// shares of 0 and 1 and few samples, too.
double error_of_share(double population, double share, double samples);

}  // namespace thalweg::record
