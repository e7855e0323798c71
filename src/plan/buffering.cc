// plan: whether a program should put its writes together in a buffer (Spinellis, section 4.4).
#include "plan/buffering.h"

#include <algorithm>
#include <tuple>
#include <vector>

#include <fmt/format.h>

namespace thalweg::plan {

namespace {

using model::WrittenFile;

void judge(WrittenFile &file, const CallCosts &costs) {
    file.saved_ns = 0;
    if (file.calls < least_calls_to_judge) {
        file.why = fmt::format("fewer than {} writes", least_calls_to_judge);
        return;
    }
    if (file.synced != 0) {
        file.why = fmt::format("it was brought to the disk {} times: what is written is wanted there", file.synced);
        return;
    }
    const uint64_t blocks = file.bytes / buffer_bytes + (file.bytes % buffer_bytes == 0 ? 0 : 1);
    const uint64_t fewer = file.calls - std::min(file.calls, blocks);
    if (static_cast<double>(fewer) < least_share_saved * static_cast<double>(file.calls)) {
        file.why = fmt::format("{} bytes at a time are as many as a buffer would write", file.bytes / file.calls);
        return;
    }
    file.saved_ns = static_cast<uint64_t>(static_cast<double>(fewer) * costs.write_ns);
    file.why = fmt::format("{} writes of {} bytes would do", blocks, buffer_bytes);
}

std::string advice_of(const WrittenFile &file) {
    return fmt::format(
        "buffering (section 4.4): {} writes to {} were of {} bytes on average: put them together, {} bytes at a time, "
        "where others may see them later, and a crash may lose the last ones; saves {} in such a run",
        file.calls, file.file, file.bytes / file.calls, buffer_bytes, time_words(static_cast<double>(file.saved_ns)));
}

}  // namespace

void judge_buffering(model::Workload &workload, const CallCosts &costs) {
    std::vector<const WrittenFile *> advised;
    for (WrittenFile &file : workload.written) {
        judge(file, costs);
        if (file.saved_ns != 0)
            advised.push_back(&file);
    }
    std::ranges::sort(advised, [](const WrittenFile *a, const WrittenFile *b) {
        return std::tie(b->saved_ns, a->file) < std::tie(a->saved_ns, b->file);
    });
    for (size_t i = 0; i < std::min(advised.size(), most_buffers_advised); ++i)
        workload.advice.push_back({model::AdviceKind::resolve, advice_of(*advised[i])});
}

}  // namespace thalweg::plan
