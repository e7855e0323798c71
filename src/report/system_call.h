// report: how system calls and what ties them together are called.
#pragma once

#include <string>

#include "model/profile.h"

namespace thalweg::report {

// "read, copy.c:12, copy"
std::string call_words(const model::Site &site);

// "same buffer, result is size, adjacent 40.0 %": what holds always, and how often the rest does; empty: nothing does.
std::string dependence_words(const model::SystemCallEdge &edge);

// Whose times these are, and what is part of them: a sentence or two.
std::string clock_words(model::CallClock clock);

// "350 ns", "12.3 us": the mean of what was timed; "unknown" where nothing was.
std::string mean_time(uint64_t total_ns, uint64_t timed);

}  // namespace thalweg::report
