// model: a machine's crossing costs as JSON.
#include "model/machine.h"

#include <array>
#include <cmath>
#include <set>
#include <tuple>

#include "model/json.h"
#include "model/limits.h"

namespace thalweg::model {

namespace {

using json::Members;
using json::Ordered;
using json::Problem;
using json::Value;

constexpr std::string_view format_name = "thalweg-machine";
constexpr std::array time_names = {"processor", "wall"};
constexpr std::array completion_names = {"", "at once", "worker"};
// Some 80 are measured on a machine with two file systems; only a hostile file has more.
constexpr size_t max_rows = 4096;

template <class Enum, size_t n>
void read_word(Members &members, const char *key, const std::array<const char *, n> &names, Enum &out,
               Problem &problem) {
    std::string word = names[0];
    members.text(key, word);
    for (size_t i = 0; i < n; ++i) {
        if (word == names[i]) {
            out = static_cast<Enum>(i);
            return;
        }
    }
    problem.add(fmt::format("{} has a word that is not known here: \"{}\"", key, word));
}

void read_real(Members &members, const char *key, double &out, const std::string &where, Problem &problem) {
    const Value *value = members.find(key, true);
    if (value == nullptr)
        return;
    if (!value->is_number())
        return problem.add(where + key + " is not a number");
    out = value->get<double>();
}

void read_estimate(Members &row, const char *key, const std::string &where, Estimate &out, Problem &problem) {
    const Value *value = row.find(key, true);
    if (value == nullptr)
        return;
    const std::string inside = where + key + ".";
    Members members(*value, inside, problem);
    read_real(members, "median", out.median, inside, problem);
    read_real(members, "low", out.low, inside, problem);
    read_real(members, "high", out.high, inside, problem);
    read_real(members, "confidence", out.confidence, inside, problem);
    members.number("n", out.n, true);
    members.finish();
}

CrossingCost read_cost(const Value &value, const std::string &where, Problem &problem) {
    CrossingCost cost;
    Members members(value, where, problem);
    members.text("name", cost.name, true);
    members.text("what", cost.what);
    members.text("folder", cost.folder);
    members.number("group", cost.group);
    read_word(members, "time", time_names, cost.time, problem);
    read_word(members, "completion", completion_names, cost.completion, problem);
    read_estimate(members, "seconds", where, cost.seconds, problem);
    members.text("against", cost.against);
    if (!cost.against.empty())
        read_estimate(members, "ratio", where, cost.ratio, problem);
    members.finish();
    return cost;
}

Ordered estimate_json(const Estimate &estimate) {
    return {{"median", estimate.median},
            {"low", estimate.low},
            {"high", estimate.high},
            {"confidence", estimate.confidence},
            {"n", estimate.n}};
}

Ordered cost_json(const CrossingCost &cost) {
    Ordered row{{"name", cost.name}, {"what", cost.what}};
    if (!cost.folder.empty())
        row["folder"] = cost.folder;
    if (cost.group != 0)
        row["group"] = cost.group;
    row["time"] = time_names[static_cast<size_t>(cost.time)];
    if (cost.completion != Completion::none)
        row["completion"] = completion_names[static_cast<size_t>(cost.completion)];
    row["seconds"] = estimate_json(cost.seconds);
    if (cost.against.empty())
        return row;
    row["against"] = cost.against;
    row["ratio"] = estimate_json(cost.ratio);
    return row;
}

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
    Ordered out = json::document(format_name, Machine::version);
    out["date"] = machine.date;
    out["kernel"] = machine.kernel;
    out["cpu"] = machine.cpu;
    out["cpus"] = machine.cpus;
    out["file_systems"] = Ordered::array();
    for (const FileSystem &system : machine.file_systems)
        out["file_systems"].push_back({{"folder", system.folder}, {"type", system.type}});
    out["costs"] = Ordered::array();
    for (const CrossingCost &cost : machine.costs)
        out["costs"].push_back(cost_json(cost));
    out["left_out"] = Ordered::array();
    for (const LeftOut &row : machine.left_out)
        out["left_out"].push_back({{"name", row.name}, {"folder", row.folder}, {"reason", row.reason}});
    return json::print(out);
}

Result<Machine> read_machine(const std::string &text) {
    const Result<Value> value = json::parse(text, format_name, Machine::version);
    if (!value)
        return value.error();
    Machine machine;
    Problem problem;
    Members members(*value, "", problem);
    members.text("date", machine.date, true);
    members.text("kernel", machine.kernel, true);
    members.text("cpu", machine.cpu, true);
    members.number("cpus", machine.cpus);
    members.list("file_systems", max_rows, [&](const Value &entry, const std::string &where) {
        FileSystem system;
        Members inside(entry, where, problem);
        inside.text("folder", system.folder, true);
        inside.text("type", system.type, true);
        inside.finish();
        machine.file_systems.push_back(system);
    });
    members.list("costs", max_rows, [&](const Value &entry, const std::string &where) {
        machine.costs.push_back(read_cost(entry, where, problem));
    });
    members.list("left_out", max_rows, [&](const Value &entry, const std::string &where) {
        LeftOut row;
        Members inside(entry, where, problem);
        inside.text("name", row.name, true);
        inside.text("folder", row.folder);
        inside.text("reason", row.reason);
        inside.finish();
        machine.left_out.push_back(row);
    });
    members.finish();
    if (problem.any())
        return json::does_not_fit(format_name, problem);
    if (Status status = validate(machine); !status)
        return fail(ErrorCode::does_not_fit, "not a usable {}: {}", format_name, status.error().message);
    return machine;
}

}  // namespace thalweg::model
