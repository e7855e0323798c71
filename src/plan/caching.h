// plan: whether a program should keep results of its system calls (Spinellis, section 4.7); every threshold with its source.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "model/machine.h"
#include "model/workload.h"

namespace thalweg::plan {

// What calls cost, in nanoseconds. Source of the built-in figures: files of ext4 that are in memory, an EPYC in a virtual machine, Linux
// 6.18, the best of 9 times 20,000 calls.
struct CallCosts {
    double entry_ns = 165;  // getppid: into the kernel and out again, which any call costs at least
    double status_ns = 400;  // fstat
    double path_ns = 1200;  // access; stat takes 1,440. A path of five parts
    double read_ns = 480;  // of 4,096 bytes
    double open_close_ns = 3050;
    double write_ns = 840;  // of 64 bytes, to a file that is in memory
    std::string source = "built-in costs";
};
// What `thalweg machine` measured; what it did not stays built-in.
CallCosts call_costs_on(const model::Machine &machine);

// "1.2 us"
std::string time_words(double ns);

// The upkeep that section 4.7.3 warns of, for each of model::cache_sizes: one entry is compared; more are a std::unordered_map and a
// std::list. Measured with paths of 40 bytes and 2,000,000 look-ups: a hit 8, and 34 to 69; a miss, which looks up, drops and inserts, 97
// to 155, and 147 to 403.
inline constexpr std::array<double, model::cache_sizes.size()> cache_hit_ns = {8, 50, 50};
inline constexpr std::array<double, model::cache_sizes.size()> cache_miss_ns = {125, 250, 250};
// Fewer calls show nothing: a start's own search for libraries is some dozens (dynamic linker, locale: 20 to 80 in programs of Debian).
inline constexpr uint64_t least_calls_to_judge = 100;
// "If this cache-maintenance cost is not offset by the savings" (section 4.7.3) it is a drain; what saves less than a tenth of what the
// calls cost is within the error of the figures above, which differ by more from run to run.
inline constexpr double least_share_saved = 0.1;
// Ways out that are told; the table has all.
inline constexpr size_t most_caches_advised = 3;

// Fills in each repeated call's verdict, and adds the best ones to the advice. After judge(), which writes the advice anew.
void judge_caching(model::Workload &workload, const CallCosts &costs);

}  // namespace thalweg::plan
