// report: linker names as people write them.
#pragma once

#include <string>
#include <string_view>

#include "model/plan.h"
#include "model/profile.h"
#include "model/site.h"

namespace thalweg::report {

// The whole of it: "void Bus<int>::call<&Net::send, Net>(void*, int)"; the name itself where it is not a mangled one.
std::string readable(const std::string &linker_name);
// What people call it: "Net::send". Without return type and parameters; and a template that is given a function, or a lambda,
// wraps it: it goes by the name of what it wraps.
std::string short_name(const std::string &linker_name);
// What a guard was counted for: an event by the name that its program gave it, a layer's function as people call it.
std::string guarded_name(const std::string &name);
// A sentence, each linker name in it made short.
std::string with_short_names(const std::string &sentence);
// Fit for a terminal whatever its bytes: no control characters, no escape sequences, cut short when very long.
std::string harmless(std::string_view text);
// The same of a text for people: linker names in it are made short first. All that verbs show of events, places and reasons.
std::string shown(std::string_view text);
std::string place_words(const model::Site &site);  // "a.cc:12, Net::send", or the function and which loop of it
// Where a decision is: its site, or all calls of its function.
std::string place_words(const model::Decision &decision);
std::string function_name(const model::Profile &profile, uint32_t function);  // short

}  // namespace thalweg::report
