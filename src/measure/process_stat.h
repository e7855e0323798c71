// measure: what the kernel says of a process or a thread in /proc/PID/stat.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace thalweg::measure {

struct ProcessStat {
    std::string name;
    uint64_t minor_faults = 0;
    uint64_t children_minor_faults = 0;  // of children that were waited for, as in all that follows
    uint64_t major_faults = 0;
    uint64_t children_major_faults = 0;
    uint64_t user_us = 0;  // in steps of 10 ms
    uint64_t system_us = 0;
    uint64_t children_user_us = 0;
    uint64_t children_system_us = 0;
    uint64_t threads = 0;
};

// None: this is no such line. A process chooses its name, which may hold anything.
std::optional<ProcessStat> parse_stat(const std::string &line, uint64_t ticks_per_second);

}  // namespace thalweg::measure
