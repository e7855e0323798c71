// record: raw files and the twin's site table, made into a profile.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "model/profile.h"
#include "model/site.h"
#include "record/raw_file.h"

namespace thalweg::record {

// Whose profile it is.
struct Recorded {
    std::string program;
    std::string build_id;
    std::string command;
};

// The events that each guard of an optimised program belongs to, by decision.
struct GuardName {
    uint32_t decision = 0;
    std::string event;
};

// The files of one run: its processes and their threads. Weights of samples are scaled to what really ran.
// `guards[i]` names the i-th pair of counters; pairs without a name are left out.
Result<model::Profile> build_profile(const std::vector<RawFile> &files, const model::SiteTable &table,
                                     const Recorded &recorded, const std::vector<GuardName> &guards = {});

}  // namespace thalweg::record
