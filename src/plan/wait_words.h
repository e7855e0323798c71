// plan: the sentence about triggers and waits that a layer makes one path.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "model/profile.h"

namespace thalweg::plan {

// Which events, by where they were made, lead on to which waits inside these functions (indices into the profile's), most frequent first.
// Empty: none does. Begins with a space.
std::string wait_words(const model::Profile &profile, std::span<const uint32_t> functions);

}  // namespace thalweg::plan
