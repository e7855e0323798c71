// measure: a running program and all that it started, looked at now and then.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include <sys/types.h>

#include "measure/process_stat.h"
#include "model/workload.h"

namespace thalweg::measure {

// As often as a person's eye follows; the kernel counts in steps of 10 ms. A look costs some 20 us for each thread.
inline constexpr double sample_period_s = 0.1;

class ProcessTree {
  public:
    explicit ProcessTree(pid_t root) : root_(root) {}

    void look(uint64_t elapsed_us);
    // When the program has ended, and nobody has waited for it yet.
    void last_look(uint64_t elapsed_us);

    const std::vector<model::WorkSample> &samples() const { return samples_; }
    std::vector<model::ThreadWork> threads() const;
    uint64_t ready_us() const;
    // Of the program, at the last look: what it waited for.
    const std::optional<ProcessStat> &root() const { return root_stat_; }
    bool left_out_any() const { return left_out_; }

  private:
    struct Totals {
        uint64_t user_us = 0;
        uint64_t system_us = 0;
        uint64_t threads = 0;
    };
    void look_at_process(pid_t process, Totals &totals, std::vector<pid_t> &children);
    void look_at_thread(pid_t process, pid_t thread);
    void add_sample(uint64_t elapsed_us, const Totals &totals);

    pid_t root_;
    std::optional<ProcessStat> root_stat_;
    std::map<std::pair<pid_t, pid_t>, model::ThreadWork> threads_;
    std::vector<model::WorkSample> samples_;
    Totals before_;
    size_t looks_a_sample_ = 1;  // doubled whenever there are too many samples
    size_t looks_ = 0;
    bool left_out_ = false;
};

}  // namespace thalweg::measure
