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

    // For each function of `reached`: the share (0 to 1) of its entries that came through `root`. The root's own share is 1.
    std::map<uint32_t, double> parts_of(uint32_t root, const std::vector<uint32_t> &reached) const;

    // The share of the function's entries that came from callers for which `is_meant` holds. Recursive calls are left out.
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
