// model: what crossings cost on one machine, row by row, in seconds with intervals. JSON (docs/formats/machine.md).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "model/measurement.h"

namespace thalweg::model {

// Whose time a row states: of all processors that worked for this process, the kernel's workers included, or what passed.
enum class TimeKind { processor, wall };

// What io_uring does with an operation here: done before the submission returns, or handed to a thread of the kernel's.
enum class Completion { none, at_once, worker };  // none: the row is not of io_uring

struct CrossingCost {
    std::string name;
    std::string what;
    std::string folder;  // on whose file system; empty where that plays no part
    uint32_t group = 0;  // operations handed to io_uring at once; 0: not of io_uring
    TimeKind time = TimeKind::processor;
    Completion completion = Completion::none;
    Estimate seconds;  // of one operation
    std::string against;  // the row, of the same folder, that does the same in another way; may be empty
    Estimate ratio;  // this one's seconds / that one's, taken within a round
    bool operator==(const CrossingCost &) const = default;
};

// A row that could not be measured here, and why not.
struct LeftOut {
    std::string name;
    std::string folder;
    std::string reason;
    bool operator==(const LeftOut &) const = default;
};

struct FileSystem {
    std::string folder;
    std::string type;  // as the kernel names it: ext4, tmpfs
    bool operator==(const FileSystem &) const = default;
};

struct Machine {
    static constexpr uint32_t version = 1;
    std::string date;  // UTC, 2026-01-31T12:00:00Z
    std::string kernel;  // its release
    std::string cpu;  // its model
    uint32_t cpus = 0;
    std::vector<FileSystem> file_systems;
    std::vector<CrossingCost> costs;
    std::vector<LeftOut> left_out;
    bool operator==(const Machine &) const = default;
};

// The row of this name, where there is one.
const CrossingCost *find_cost(const Machine &machine, const std::string &name, const std::string &folder = {},
                              uint32_t group = 0);

// Of two measurements: the rows that both have, by their index in the newer one.
struct RowAgreement {
    size_t row = 0;
    bool agrees = false;  // the intervals have a value in common
    bool near = false;  // they have none, but the medians are as close as two runs of one process image come
    double ratio = 1;  // newer median / older median
    bool operator==(const RowAgreement &) const = default;
};

struct MachineAgreement {
    std::string older_date;
    bool same_machine = true;  // CPU model and kernel release
    std::vector<RowAgreement> rows;
    size_t agreeing = 0;
    size_t near = 0;
    size_t only_in_one = 0;  // rows that have no partner
};

Status validate(const Machine &machine);
std::string write_machine(const Machine &machine);
Result<Machine> read_machine(const std::string &text);

}  // namespace thalweg::model
