// plan: who leads to whom how often, among the functions that were entered: what a layer saves is saved for each of its callers in part.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "model/profile.h"

namespace thalweg::plan {

class EntryFlow {
  public:
    explicit EntryFlow(const model::Profile &profile);

    // Of the entries of each of `reached`, the part (0 to 1) to which the root led; all of the root's own.
    std::map<uint32_t, double> parts_of(uint32_t root, const std::vector<uint32_t> &reached) const;

    // Of the function's entries, the part to which those callers led that are meant, itself left out.
    template <class IsMeant>
    double led_by(uint32_t function, IsMeant is_meant) const {
        double part = 0;
        for (const Way &way : ways_to_[function])
            part += way.caller != function && is_meant(way.caller) ? way.share : 0;
        return part;
    }

  private:
    struct Way {
        uint32_t caller = 0;
        double share = 0;  // of the callee's entries
    };

    void estimate_entries(const model::Profile &profile);
    // The ways between these alone, callers and callees by their positions there.
    std::vector<std::vector<Way>> ways_among(const std::vector<uint32_t> &reached) const;
    std::map<uint32_t, double> weights_of_callers(uint32_t callee) const;

    std::map<uint32_t, std::map<uint32_t, double>>
        through_pointers_;  // by callee: callers, and how often they called it
    std::vector<double> entries_;
    std::vector<std::vector<uint32_t>> callers_of_;  // direct calls
    std::vector<std::vector<Way>> ways_to_;
};

}  // namespace thalweg::plan
