// measure: what is left of a program that has ended; private to the two ways of running one.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include <sys/resource.h>

#include "base/result.h"
#include "measure/process_tree.h"
#include "model/workload.h"

namespace thalweg::measure {

class Stopwatch {
  public:
    uint64_t elapsed_us() const {
        return static_cast<uint64_t>(
            std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - start_).count());
    }

  private:
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

// `status` and `usage` as wait4 gives them.
model::Workload workload_of(int status, const rusage &usage, uint64_t real_us, const ProcessTree &tree);

Result<model::Workload> run_counting_calls(const std::vector<std::string> &command);

}  // namespace thalweg::measure
