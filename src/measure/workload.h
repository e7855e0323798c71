// measure: one run of a program in our place, and what it used; input, output and signals are its own.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "model/workload.h"

namespace thalweg::measure {

struct WorkloadRequest {
    std::vector<std::string> command;  // command[0] is searched in PATH when it has no slash
    bool calls = false;                // count its system calls, which makes it slower
};

// Class and advice are left open: they are for `plan` to say.
Result<model::Workload> run_workload(const WorkloadRequest &request);

}  // namespace thalweg::measure
