// report: the header of a specialised function in an object file of its own.
#pragma once

#include <string>

#include "model/plan.h"

namespace thalweg::report {

// What was assumed, how it is tested, what happens when it does not hold; what else the object needs; and the declaration.
std::string object_header(const model::Decision &decision, const model::DecisionOutcome &outcome,
                          const model::ObjectFunction &object, const std::string &program);

}  // namespace thalweg::report
