// measure: system calls, counted by thread and by kind.
#include "measure/call_counts.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <tuple>

#include <fmt/format.h>
#include <seccomp.h>

namespace thalweg::measure {

std::string name_of_call(CallKey key) {
    const std::unique_ptr<char, decltype(&std::free)> name(
        seccomp_syscall_resolve_num_arch(key.architecture, static_cast<int>(key.number)), std::free);
    return name ? std::string(name.get()) : fmt::format("call {}", static_cast<int64_t>(key.number));
}

std::string name_of_error(int64_t error) {
    // include/linux/errno.h of the kernel: never seen by the program itself.
    constexpr std::pair<int64_t, const char *> internal[] = {
        {512, "ERESTARTSYS"}, {513, "ERESTARTNOINTR"}, {514, "ERESTARTNOHAND"}, {516, "ERESTART_RESTARTBLOCK"}};
    for (const auto &[number, name] : internal)
        if (number == error)
            return name;
    const char *name = ::strerrorname_np(static_cast<int>(error));
    return name != nullptr ? name : fmt::format("error {}", error);
}

void CallCounts::ended(CallKey key, uint64_t time_ns, int64_t error, bool without_waiting) {
    Count &count = calls_[key];
    count.time_ns += time_ns;
    count.without_waiting += without_waiting ? 1 : 0;
    if (error != 0)
        ++count.errors[error];
}

void CallCounts::add(const CallCounts &other) {
    for (const auto &[key, more] : other.calls_) {
        Count &count = calls_[key];
        count.count += more.count;
        count.time_ns += more.time_ns;
        count.without_waiting += more.without_waiting;
        for (const auto &[error, times] : more.errors)
            count.errors[error] += times;
    }
}

uint64_t CallCounts::count_of(CallKey key) const {
    const auto found = calls_.find(key);
    return found == calls_.end() ? 0 : found->second.count;
}

uint64_t CallCounts::errors_of(CallKey key, int64_t error) const {
    const auto found = calls_.find(key);
    if (found == calls_.end())
        return 0;
    const auto times = found->second.errors.find(error);
    return times == found->second.errors.end() ? 0 : times->second;
}

std::vector<model::CallCount> CallCounts::rows() const {
    std::vector<model::CallCount> rows;
    for (const auto &[key, count] : calls_) {
        model::CallCount row{name_of_call(key), count.count, count.time_ns, count.without_waiting, {}};
        for (const auto &[error, times] : count.errors)
            row.errors.push_back({name_of_error(error), times});
        rows.push_back(std::move(row));
    }
    std::ranges::sort(rows, [](const model::CallCount &a, const model::CallCount &b) {
        return std::tie(b.time_ns, b.count, a.name) < std::tie(a.time_ns, a.count, b.name);
    });
    return rows;
}

}  // namespace thalweg::measure
