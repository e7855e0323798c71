// measure: what a cache of a call's results would have given: hits of one, 16 and 64 entries, and results that changed underneath.
#pragma once

#include <cstdint>
#include <list>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>

#include "model/workload.h"

namespace thalweg::measure {

// The calls of one name in one process. Of a cache that drops what was not used for longest, the smaller one has the first entries of
// the larger one: one list serves for all sizes.
class ResultCache {
  public:
    // A call with these arguments gave what has this hash.
    void add(const std::string &arguments, uint64_t result);
    // The process is another program from now on, or has ended: nothing is kept, the counts stay.
    void forget();
    void add_to(model::RepeatedCalls &counts) const;

  private:
    struct Seen {
        uint64_t result = 0;
        uint64_t calls = 0;
        uint64_t changes = 0;
    };
    size_t place_of(const std::string &arguments);

    model::RepeatedCalls counts_;
    std::unordered_map<std::string, Seen> seen_;
    std::list<std::string> recent_;
};

}  // namespace thalweg::measure
