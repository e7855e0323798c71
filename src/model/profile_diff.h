// model: what changed from one profile to another.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace thalweg::model {

// One thing that was counted in both profiles or in one of them. The shares are parts of each profile's total of that
// kind, so that a longer run is not taken for a change.
struct DiffEntry {
    std::string what;  // the event, "A -> B (sync)", "event: handler, handler", "read (copy.c:12)"
    uint64_t before = 0;
    uint64_t after = 0;
    double share_before = 0;
    double share_after = 0;
    bool operator==(const DiffEntry &) const = default;
};

// Only what differs, the largest change of share first.
struct ProfileDiff {
    std::vector<DiffEntry> events;
    std::vector<DiffEntry> edges;
    std::vector<DiffEntry> sequences;
    std::vector<DiffEntry> binding_changes;
    std::vector<DiffEntry> system_calls;
    std::vector<DiffEntry> system_call_edges;
    bool operator==(const ProfileDiff &) const = default;
};

}  // namespace thalweg::model
