// measure: the crossing costs of the machine that this runs on.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "model/machine.h"

namespace thalweg::measure {

struct MachineOptions {
    // One row of files each, but for those on a file system that an earlier one is on.
    std::vector<std::string> folders;
    // All rows are measured once in each round, so that whatever slows the machine for a while slows all of them, and in few rounds.
    uint32_t rounds = 31;
    // How long one row runs in one round: some 3,000 times what the clock's two calls cost, and 80 rows in 31 rounds end in 10 s.
    double slice_s = 0.003;
    uint64_t fixed_count = 0;  // not 0: so often in each round, whatever time it takes
    std::function<void(uint32_t round)> progress = nullptr;  // before each round
};

Result<model::Machine> measure_machine(const MachineOptions &options);

// Row by row: do two measurements agree, as far as their intervals tell?
model::MachineAgreement agreement_of(const model::Machine &older, const model::Machine &newer);

// What a measurement of this machine would say of it; no costs.
model::Machine this_machine();

}  // namespace thalweg::measure
