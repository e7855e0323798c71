// report: a machine's crossing costs as text and JSON.
#include "report/machine.h"

#include <array>
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "report/text_table.h"

namespace thalweg::report {

namespace {

using model::CrossingCost;
using model::Machine;
using model::MachineAgreement;
using model::RowAgreement;

// 1.32 ns, 104 ns, 4.3 us: three digits, in the unit that leaves the fewest before the point.
std::string time_text(double seconds) {
    static constexpr std::array<std::pair<double, const char *>, 3> units{{{1e-6, "ns"}, {1e-3, "us"}, {1, "ms"}}};
    for (const auto &[below, unit] : units) {
        const double value = seconds / below * 1000;
        if (seconds < below || below == 1)
            return value >= 100 ? fmt::format("{:.0f} {}", value, unit) : fmt::format("{:.3g} {}", value, unit);
    }
    return {};
}

std::string name_text(const CrossingCost &cost) {
    return cost.group == 0 ? cost.name : fmt::format("{} x {}", cost.name, cost.group);
}

std::string partner_text(const CrossingCost &cost) {
    if (cost.against.empty())
        return "";
    return fmt::format("{:.2f} ({:.2f} to {:.2f}) of {}", cost.ratio.median, cost.ratio.low, cost.ratio.high,
                       cost.against);
}

const char *completion_text(model::Completion completion) {
    static constexpr const char *words[] = {"", "at once", "by a worker"};
    return words[static_cast<size_t>(completion) % 3];
}

std::string then_text(const RowAgreement *row) {
    if (row == nullptr)
        return "was not there";
    return fmt::format("{} {:+.1f} %", row->agrees ? "agrees" : row->near ? "near" : "DIFFERS", (row->ratio - 1) * 100);
}

// The rows of one folder.
std::string costs_text(const Machine &machine, const std::string &folder, const MachineAgreement *agreement,
                       const TextStyle &style) {
    std::vector<std::string> columns{">one costs", ">95 % interval", "time", "crossing", "done", "beside another"};
    if (agreement != nullptr)
        columns.push_back("then");
    columns.push_back("what");
    std::map<size_t, const RowAgreement *> then;
    if (agreement != nullptr)
        for (const RowAgreement &row : agreement->rows)
            then[row.row] = &row;
    TextTable table(columns);
    for (size_t i = 0; i < machine.costs.size(); ++i) {
        const CrossingCost &cost = machine.costs[i];
        if (cost.folder != folder)
            continue;
        std::vector<std::string> cells{time_text(cost.seconds.median),
                                       time_text(cost.seconds.low) + " to " + time_text(cost.seconds.high),
                                       cost.time == model::TimeKind::wall ? "wall" : "cpu",
                                       name_text(cost),
                                       completion_text(cost.completion),
                                       partner_text(cost)};
        if (agreement != nullptr)
            cells.push_back(then_text(then[i]));
        cells.push_back(cost.what);
        table.row(std::move(cells));
    }
    return table.rows() == 0 ? "" : table.text(style);
}

std::string left_out_text(const Machine &machine, const TextStyle &style) {
    if (machine.left_out.empty())
        return "";
    TextTable table({"crossing", "where", "why"});
    for (const model::LeftOut &row : machine.left_out)
        table.row({row.name, row.folder, row.reason});
    return heading(fmt::format("Not measured: {}", machine.left_out.size()), style) + table.text(style);
}

std::string agreement_text(const Machine &machine, const MachineAgreement &agreement) {
    std::string text =
        fmt::format("Beside the measurement of {}: {} of {} rows agree (their intervals meet), {} more are within 5 %",
                    harmless(agreement.older_date), agreement.agreeing, agreement.rows.size(), agreement.near);
    const RowAgreement *farthest = nullptr;
    auto distance = [](const RowAgreement &row) { return row.ratio > 1 ? row.ratio : 1 / row.ratio; };
    for (const RowAgreement &row : agreement.rows)
        if (farthest == nullptr || distance(row) > distance(*farthest))
            farthest = &row;
    if (farthest != nullptr)
        text += fmt::format("; the farthest apart is {}, {:+.1f} %", harmless(name_text(machine.costs[farthest->row])),
                            (farthest->ratio - 1) * 100);
    if (agreement.only_in_one != 0)
        text += fmt::format("; {} rows are in one of them only", agreement.only_in_one);
    text += ".\n";
    if (!agreement.same_machine)
        text += "That one was made on another processor or kernel.\n";
    return text;
}

}  // namespace

std::string text_machine(const Machine &machine, const MachineAgreement *agreement, const TextStyle &style) {
    std::string text = heading("Crossing costs", style);
    text += fmt::format("{}, {} processors, Linux {}, measured {}\n\n", harmless(machine.cpu), machine.cpus,
                        harmless(machine.kernel), harmless(machine.date));
    text += costs_text(machine, "", agreement, style);
    for (const model::FileSystem &system : machine.file_systems)
        if (const std::string rows = costs_text(machine, system.folder, agreement, style); !rows.empty())
            text +=
                heading(fmt::format("Files in {} ({})", harmless(system.folder), harmless(system.type)), style) + rows;
    text += left_out_text(machine, style);
    text +=
        "Medians and intervals that hold the true median with 95 % probability, where there were six rounds or more.\n";
    if (agreement != nullptr)
        text += agreement_text(machine, *agreement);
    return text;
}

std::string json_machine(const Machine &machine, const MachineAgreement *agreement) {
    using Json = nlohmann::ordered_json;
    Json json{{"machine", Json::parse(model::write_machine(machine))}, {"agreement", nullptr}};
    if (agreement == nullptr)
        return json.dump(1) + "\n";
    Json rows = Json::array();
    for (const RowAgreement &row : agreement->rows) {
        const CrossingCost &cost = machine.costs[row.row];
        rows.push_back({{"name", cost.name},
                        {"folder", cost.folder},
                        {"group", cost.group},
                        {"agrees", row.agrees},
                        {"near", row.near},
                        {"ratio", row.ratio}});
    }
    json["agreement"] = {{"older_date", agreement->older_date},   {"same_machine", agreement->same_machine},
                         {"agreeing", agreement->agreeing},       {"near", agreement->near},
                         {"only_in_one", agreement->only_in_one}, {"rows", std::move(rows)}};
    return json.dump(1) + "\n";
}

}  // namespace thalweg::report
