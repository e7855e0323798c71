// model: a machine's crossing costs as JSON.
#include "model/machine.h"

#include <cmath>
#include <set>
#include <tuple>

#include "model/estimate_fields.h"
#include "model/json_fields.h"
#include "model/limits.h"

namespace thalweg::model {

namespace fields {

// Some 80 rows are measured on a machine with two file systems; only a hostile file has more.
constexpr size_t max_rows = 4096;

template <>
struct Of<CrossingCost> {
    static constexpr const char *time_words[] = {"processor", "wall"};
    static constexpr const char *completion_words[] = {"", "at once", "worker"};
    static constexpr std::tuple rows{name("name", &CrossingCost::name),
                                     value("what", &CrossingCost::what),
                                     value("folder", &CrossingCost::folder).sparse(),
                                     value("group", &CrossingCost::group).sparse(),
                                     key("time", &CrossingCost::time, time_words),
                                     key("completion", &CrossingCost::completion, completion_words).sparse(),
                                     object("seconds", &CrossingCost::seconds).needed(),
                                     value("against", &CrossingCost::against).sparse(),
                                     object("ratio", &CrossingCost::ratio).sparse()};
};

template <>
struct Of<FileSystem> {
    static constexpr std::tuple rows{name("folder", &FileSystem::folder), name("type", &FileSystem::type)};
};

template <>
struct Of<LeftOut> {
    static constexpr std::tuple rows{name("name", &LeftOut::name), value("folder", &LeftOut::folder),
                                     value("reason", &LeftOut::reason)};
};

template <>
struct Of<Machine> {
    static constexpr std::tuple rows{value("date", &Machine::date).needed(),
                                     value("kernel", &Machine::kernel).needed(),
                                     value("cpu", &Machine::cpu).needed(),
                                     value("cpus", &Machine::cpus),
                                     objects("file_systems", &Machine::file_systems, max_rows),
                                     objects("costs", &Machine::costs, max_rows),
                                     objects("left_out", &Machine::left_out, max_rows)};
};

}  // namespace fields

namespace {

constexpr std::string_view format_name = "thalweg-machine";

// Whatever a measurement can give: an interval with its median in it, above nothing.
bool is_sound(const Estimate &estimate) {
    return std::isfinite(estimate.high) && estimate.low > 0 && estimate.low <= estimate.median &&
           estimate.median <= estimate.high && estimate.confidence >= 0 && estimate.confidence <= 1 && estimate.n > 0;
}

}  // namespace

const CrossingCost *find_cost(const Machine &machine, const std::string &name, const std::string &folder,
                              uint32_t group) {
    for (const CrossingCost &cost : machine.costs)
        if (cost.name == name && cost.folder == folder && cost.group == group)
            return &cost;
    return nullptr;
}

Status validate(const Machine &machine) {
    std::set<std::tuple<std::string, std::string, uint32_t>> seen;
    for (size_t i = 0; i < machine.costs.size(); ++i) {
        const CrossingCost &cost = machine.costs[i];
        if (cost.name.empty())
            return fail(ErrorCode::does_not_fit, "costs[{}] has no name", i);
        if (!is_sound(cost.seconds) || (!cost.against.empty() && !is_sound(cost.ratio)))
            return fail(ErrorCode::does_not_fit,
                        "costs[{}] ({}) is no measurement: {} s from {} to {} ({} samples) is not an interval above 0 "
                        "that holds its median",
                        i, cost.name, cost.seconds.median, cost.seconds.low, cost.seconds.high, cost.seconds.n);
        if (!seen.insert({cost.name, cost.folder, cost.group}).second)
            return fail(ErrorCode::does_not_fit, "costs[{}]: {} is there twice", i, cost.name);
    }
    return Done{};
}

std::string write_machine(const Machine &machine) {
    return json::write_document(format_name, Machine::version, machine);
}

Result<Machine> read_machine(const std::string &text) {
    return json::read_document<Machine>(text, format_name, Machine::version);
}

}  // namespace thalweg::model
