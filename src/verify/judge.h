// verify: do two programs show the same?
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "model/verdict.h"

namespace thalweg::verify {

// What one run showed: how it ended, and by name the files that hold its outputs.
struct Shown {
    bool original = true;  // which of the two programs
    uint32_t round = 0;    // 1, 2, ...
    std::string ending;    // "exit 0"
    std::vector<std::pair<std::string, std::string>> outputs;  // ("stdout", path of what was captured); may not exist
};

// Holds each run against the first run of the original. Outputs are read piece by piece, never whole.
class Judge {
  public:
    // `directory` is where the first run's outputs are kept.
    Judge(std::string original, std::string candidate, std::string directory)
        : original_(std::move(original)), candidate_(std::move(candidate)), directory_(std::move(directory)) {}

    // The first run must be the original's.
    Status see(const Shown &shown);
    model::Agreement agreement() const;

    // Puts together what was seen and what was measured. `metric` is model::metric_wall or metric_cpu.
    model::Comparison verdict(const model::Measurement &measurement, const std::string &metric) const;

  private:
    Status keep_reference(const Shown &shown);
    void note(const Shown &shown, model::Difference difference);

    std::string original_;
    std::string candidate_;
    std::string directory_;
    bool has_reference_ = false;
    std::string ending_;
    std::vector<std::pair<std::string, std::string>> reference_;
    std::vector<model::Difference> original_differences_;  // the original against itself
    std::vector<model::Difference> candidate_differences_;
    uint32_t runs_ = 0;
};

// Faster or slower only where the whole interval of the ratio lies beyond 1 and beyond what the machine does to two runs
// of the same program.
model::Speed judge_speed(const model::Estimate &ratio, const model::Estimate &noise);

}  // namespace thalweg::verify
