// plan: the sentence about triggers and waits that a layer makes one path.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>

#include "model/profile.h"

namespace thalweg::plan {

// Which events, by where they were made, led on to which waits: gathered once for all layers of a profile.
class WaitWords {
  public:
    explicit WaitWords(const model::Profile &profile);

    // Those inside these functions (indices into the profile's), most frequent first. Empty: none does. Begins with a space.
    std::string of(std::span<const uint32_t> functions) const;

  private:
    const model::Profile &profile_;
    // By the sites of trigger and wait; then by their events.
    std::map<std::pair<uint32_t, uint32_t>, std::map<std::pair<uint32_t, uint32_t>, uint64_t>> counts_;
};

}  // namespace thalweg::plan
