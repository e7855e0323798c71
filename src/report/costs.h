// report: which events cost most time, and what was done about each.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/plan.h"
#include "model/profile.h"

namespace thalweg::report {

// "12 ns", "3.45 us", "1.2 s".
std::string duration(double ns);
// Estimated, and so marked: "~1.2 s ±0.1 s". Without the error where nobody knows it.
std::string estimated_time(uint64_t ns, uint64_t error_ns);

// Of a profile without times nobody knows what costs most: its events go by their raises.
bool has_times(const model::Profile &profile);
// Indices of events: by their own time, those of which it is unknown behind, by their raises.
std::vector<uint32_t> dearest_first(const model::Profile &profile);

// The decision that did most for the event of this name: one that was applied, one that was to be, one that was refused; null: there is none.
const model::Decision *main_decision(const std::string &event, const model::Plan &plan, const model::Outcome *outcome);
// One line: "merged: 3 targets merged into a straight line", "refused (rebinds): its bindings changed".
std::string what_was_done(const std::string &event, const model::Plan &plan, const model::Outcome *outcome);
// A reason's first sentence, or so much of it as fits two rows of a terminal.
std::string first_sentence(const std::string &reason);

}  // namespace thalweg::report
