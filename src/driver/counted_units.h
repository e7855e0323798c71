// driver: a run of a twin whose units count for LLVM's own runtime.
#pragma once

#include "base/result.h"
#include "driver/recording.h"
#include "driver/twin.h"
#include "record/build_profile.h"
#include "record/run.h"

namespace thalweg::driver {

// `run` as for any twin. Each process adds its counts when it ends by itself; one that a signal ends leaves none, and what a process had counted when it
// forked is counted for both.
Result<Recording> record_units(const Twin &twin, record::RunRequest run, const record::Recorded &of);

}  // namespace thalweg::driver
