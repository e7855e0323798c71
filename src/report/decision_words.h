// report: what a decision does, in words that text and page share.
#pragma once

#include <string>

#include "model/plan.h"

namespace thalweg::report {

// "merge 3 handlers"; without the place and the reason, which stand beside it.
std::string what_is_done(const model::Decision &decision);
// What a user can do about its refusal; empty: nothing, or it is not refused.
std::string remedy_of(const model::Decision &decision);
// What runs where the decision's guard fails.
std::string when_it_fails(const model::Decision &decision);

}  // namespace thalweg::report
