// measure: what the kernel says of a process or a thread in /proc/PID/stat.
#include "measure/process_stat.h"

#include <array>
#include <limits>
#include <sstream>

namespace thalweg::measure {

std::optional<ProcessStat> parse_stat(const std::string &line, uint64_t ticks_per_second) {
    const size_t open = line.find('(');
    const size_t close = line.rfind(')');
    if (open == std::string::npos || close == std::string::npos || close < open || ticks_per_second == 0)
        return std::nullopt;
    // proc_pid_stat(5): the fields from the third on, which is a letter.
    std::istringstream rest(line.substr(close + 1));
    char state = 0;
    std::array<int64_t, 17> fields{};  // the 4th to the 20th
    rest >> state;
    for (int64_t &field : fields)
        rest >> field;
    if (!rest)
        return std::nullopt;
    const auto count = [&](size_t number) {
        const int64_t value = fields[number - 4];
        return value < 0 ? 0 : static_cast<uint64_t>(value);
    };
    constexpr uint64_t million = 1000000;
    const auto time = [&](size_t number) {
        const uint64_t ticks = count(number);
        return ticks > std::numeric_limits<uint64_t>::max() / million ? 0 : ticks * million / ticks_per_second;
    };
    return ProcessStat{line.substr(open + 1, close - open - 1),
                       count(10),
                       count(11),
                       count(12),
                       count(13),
                       time(14),
                       time(15),
                       time(16),
                       time(17),
                       count(20)};
}

}  // namespace thalweg::measure
