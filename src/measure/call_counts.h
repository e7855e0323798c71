// measure: system calls, counted by thread and by kind.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "model/workload.h"

namespace thalweg::measure {

// A call as the kernel knows it: which architecture's table, which number in it.
struct CallKey {
    uint32_t architecture = 0;
    uint64_t number = 0;
    auto operator<=>(const CallKey &) const = default;
};

// Its name, or "call 999" where the library that knows names has none.
std::string name_of_call(CallKey key);
// "ENOENT". Also of those that the kernel keeps to itself, by which it begins a call again after a signal.
std::string name_of_error(int64_t error);

// Of one thread, or of all together.
class CallCounts {
  public:
    void begun(CallKey key) { ++calls_[key].count; }
    void ended(CallKey key, uint64_t time_ns, int64_t error, bool without_waiting);
    void add(const CallCounts &other);
    uint64_t count_of(CallKey key) const;
    uint64_t errors_of(CallKey key, int64_t error) const;
    // The longest first.
    std::vector<model::CallCount> rows() const;

  private:
    struct Count {
        uint64_t count = 0;
        uint64_t time_ns = 0;
        uint64_t without_waiting = 0;
        std::map<int64_t, uint64_t> errors;
    };
    std::map<CallKey, Count> calls_;
};

}  // namespace thalweg::measure
