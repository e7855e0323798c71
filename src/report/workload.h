// report: what a run's work was, as text; its JSON is the model's own.
#pragma once

#include <string>

#include "model/workload.h"
#include "report/text.h"

namespace thalweg::report {

std::string text_workload(const model::Workload &workload, const TextStyle &style);

}  // namespace thalweg::report
