// record: how long the dispatches of each event took, estimated from those that were timed.
#pragma once

#include <map>

#include "abi/raw_format.h"
#include "model/profile.h"

namespace thalweg::record {

class TimeBuilder {
  public:
    void add(uint32_t event, const raw::Raise &raise);
    // The profile's events and nestings have their counts.
    void finish(model::Profile &profile) const;

  private:
    struct Sums {
        raw::Times whole{};
        raw::Times own{};
    };
    std::map<uint32_t, Sums> sums_;  // by event
};

}  // namespace thalweg::record
