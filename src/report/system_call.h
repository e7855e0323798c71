// report: how system calls and what ties them together are called.
#pragma once

#include <string>

#include "model/profile.h"

namespace thalweg::report {

// "read, copy.c:12, copy"
std::string call_words(const model::Site &site);

// "same buffer, result is size, adjacent 40.0 %": what holds always, and how often the rest does; empty: nothing does.
std::string dependence_words(const model::SystemCallEdge &edge);

}  // namespace thalweg::report
