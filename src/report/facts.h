// report: a fact in words.
#pragma once

#include <string>

#include "model/fact.h"

namespace thalweg::report {

// As `thalweg specialize --fact` takes it: "arg0->8:4 = 5 | 6".
std::string fact_words(const model::Fact &fact);
// Whether it is not tested: the user's word instead of a guard.
bool is_trusted(const model::Fact &fact);

}  // namespace thalweg::report
