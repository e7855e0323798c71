// plan: whether a program should put its writes together in a buffer (Spinellis, section 4.4); every threshold with its source.
#pragma once

#include <cstdint>

#include "model/workload.h"
#include "plan/caching.h"

namespace thalweg::plan {

// What is advised: the block of the C library's own buffers for files (st_blksize of ext4, XFS, Btrfs and tmpfs).
inline constexpr uint64_t buffer_bytes = 4096;
// Ways out that are told; the table has all.
inline constexpr size_t most_buffers_advised = 3;

// Fills in each written file's verdict, and adds the best ones to the advice. After judge(), which writes the advice anew. What is too
// few, and what saves too little, is as for caches (least_calls_to_judge, least_share_saved).
void judge_buffering(model::Workload &workload, const CallCosts &costs);

}  // namespace thalweg::plan
