// model: whether two programs show the same, and which is faster. JSON (docs/formats/verdict.md).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/measurement.h"

namespace thalweg::model {

// equal: every run of both showed the same.
// differ: the original always showed the same, the candidate showed something else.
// unstable: the original itself does not show the same twice, so that nothing can be said of the candidate.
enum class Agreement { equal, differ, unstable };

enum class Speed { faster, slower, within_noise };

// By which time is judged: that on the clock, or the processor's.
inline constexpr const char *metric_wall = "wall";
inline constexpr const char *metric_cpu = "cpu";
std::string_view time_words(std::string_view metric);  // as people say it: "processor time"

// The first place where a run showed something else than the original's first run.
struct Difference {
    std::string what;      // "stdout", "stderr", "exit", or the file's name
    std::string program;   // which of the two
    uint32_t round = 0;    // 1, 2, ...
    uint64_t offset = 0;   // of the first byte that differs; 0 for "exit"
    uint64_t line = 0;     // 1, 2, ...; 0 for "exit"
    std::string expected;  // what stands there, printable, cut short
    std::string found;
    bool operator==(const Difference &) const = default;
};

struct Comparison {
    static constexpr uint32_t version = 1;
    Agreement agreement = Agreement::equal;
    std::vector<std::string> compared;     // what was looked at: "stdout", "exit", files
    std::vector<Difference> differences;   // the first of each output that differs
    std::string ending;                    // how the original ended: "exit 0", "signal 11 (Segmentation fault)"
    Measurement measurement;
    Speed speed = Speed::within_noise;
    std::string metric;                    // what `speed` was judged by: metric_wall or metric_cpu
    std::string summary;                   // one sentence
    bool operator==(const Comparison &) const = default;
};

std::string write_comparison(const Comparison &comparison);
Result<Comparison> read_comparison(const std::string &text);

}  // namespace thalweg::model
