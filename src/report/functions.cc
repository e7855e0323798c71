// report: in which functions a run spent its time, as text.
#include "report/functions.h"

#include <algorithm>
#include <numeric>
#include <string_view>

#include <fmt/format.h>

#include "report/names.h"
#include "report/text_table.h"

namespace thalweg::report {

namespace {

using model::CallEdge;
using model::CallGraph;
using model::CodeFunction;
using model::CostUnit;
using model::FunctionProfile;
using model::FunctionRole;

// Callers and callees of a function that are shown: those that matter are few, and what would be 0.0 % is none of them.
constexpr size_t most_neighbours = 6;
constexpr double least_share = 0.0005;

double share(uint64_t part, uint64_t total) {
    return total == 0 ? 0 : static_cast<double>(part) / static_cast<double>(total);
}

std::string amount(uint64_t cost, CostUnit unit) {
    return unit == CostUnit::nanoseconds ? fmt::format("{:.3f} s", static_cast<double>(cost) * 1e-9) : grouped(cost);
}

std::string object_words(const std::string &object) { return object.substr(object.rfind('/') + 1); }

std::string role_words(const model::RoleOf &role) {
    const std::string count = role.count == 0 ? "" : fmt::format(", {} times", grouped(role.count));
    switch (role.role) {
    case FunctionRole::handler:
        return fmt::format("handler of {}{}", role.of, count);
    case FunctionRole::dispatch:
        return fmt::format("dispatches {}{}", role.of, count);
    case FunctionRole::layer:
        return "root of a layer" + (role.count == 0 ? "" : fmt::format(", entered {} times", grouped(role.count)));
    case FunctionRole::wait:
        return "waits";
    case FunctionRole::system_call:
        return "system call " + role.of;
    }
    return {};
}

std::string roles_words(const CodeFunction &function) {
    std::string text;
    for (const model::RoleOf &role : function.roles)
        text += (text.empty() ? "" : "; ") + role_words(role);
    return text;
}

// perf tells how often it met a function, callgrind how often that was called.
const char *count_heading(const FunctionProfile &run) {
    return run.unit == CostUnit::instructions ? ">calls" : ">samples";
}

// Indices of functions, the largest first; by name where they are as large.
template <class Cost>
std::vector<size_t> ordered(const FunctionProfile &run, Cost cost) {
    std::vector<size_t> order(run.functions.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::ranges::sort(order, [&](size_t a, size_t b) {
        if (cost(a) != cost(b))
            return cost(a) > cost(b);
        return std::tie(run.functions[a].name, run.functions[a].object) <
               std::tie(run.functions[b].name, run.functions[b].object);
    });
    while (!order.empty() && cost(order.back()) == 0)
        order.pop_back();
    return order;
}

std::string flat(const FunctionProfile &run, const CallGraph &graph, const TextStyle &style) {
    TextTable table({">self", ">inclusive", ">itself", count_heading(run), "function", "object"});
    for (const size_t i : ordered(run, [&](size_t f) { return graph.functions[f].self; })) {
        const model::FunctionCost &cost = graph.functions[i];
        table.row({percent(share(cost.self, graph.total)), percent(share(cost.inclusive, graph.total)),
                   amount(cost.self, run.unit), grouped(cost.count), function_words(run.functions[i]),
                   object_words(run.functions[i].object)});
    }
    return heading("Flat profile: what each function cost itself, and with all that it called (inclusive)", style) +
           table.text(style);
}

std::string neighbours(const FunctionProfile &run, const CallGraph &graph, std::vector<CallEdge> edges,
                       uint32_t CallEdge::*other, std::string_view arrow) {
    std::ranges::sort(edges, [&](const CallEdge &a, const CallEdge &b) {
        return std::tie(b.inclusive, a.*other) < std::tie(a.inclusive, b.*other);
    });
    std::string text;
    size_t shown = 0;
    for (; shown < std::min(edges.size(), most_neighbours) && share(edges[shown].inclusive, graph.total) >= least_share;
         ++shown)
        text += fmt::format("  {:>9}             {} {}\n", percent(share(edges[shown].inclusive, graph.total)), arrow,
                            harmless(function_words(run.functions[edges[shown].*other])));
    if (edges.size() > shown)
        text += fmt::format("                        {} and {} more\n", arrow, edges.size() - shown);
    return text;
}

std::string call_graph(const FunctionProfile &run, const CallGraph &graph, const TextStyle &style) {
    std::vector<std::vector<CallEdge>> callers(run.functions.size()), callees(run.functions.size());
    for (const CallEdge &edge : graph.edges) {
        if (edge.inclusive == 0)
            continue;
        callers[edge.callee].push_back(edge);
        callees[edge.caller].push_back(edge);
    }
    const std::vector<size_t> order = ordered(run, [&](size_t f) { return graph.functions[f].inclusive; });
    std::string text =
        heading("Call graph: each function below its callers (<) and above its callees (>); inclusive, self", style);
    const size_t shown = std::min(order.size(), style.most_rows);
    for (size_t k = 0; k < shown; ++k) {
        const size_t i = order[k];
        text += neighbours(run, graph, std::move(callers[i]), &CallEdge::caller, "<");
        text += marked(fmt::format("  {:>9} {:>9}  {}", percent(share(graph.functions[i].inclusive, graph.total)),
                                   percent(share(graph.functions[i].self, graph.total)),
                                   harmless(function_words(run.functions[i]))),
                       style) +
                "\n";
        text += neighbours(run, graph, std::move(callees[i]), &CallEdge::callee, ">") + "\n";
    }
    if (shown < order.size())
        text += fmt::format("  ... and {} more (--all shows them)\n", grouped(order.size() - shown));
    return text;
}

std::string crossings(const FunctionProfile &run, const CallGraph &graph, const TextStyle &style) {
    TextTable table({">inclusive", ">self", count_heading(run), "function", "what it is"});
    for (const size_t i : ordered(run, [&](size_t f) { return graph.functions[f].inclusive; }))
        if (!run.functions[i].roles.empty())
            table.row({percent(share(graph.functions[i].inclusive, graph.total)),
                       percent(share(graph.functions[i].self, graph.total)), grouped(graph.functions[i].count),
                       function_words(run.functions[i]), roles_words(run.functions[i])});
    return table.rows() == 0 ? std::string() : heading("Events and crossings", style) + table.text(style);
}

uint64_t in_kernel(const FunctionProfile &run) {
    uint64_t sum = 0;
    for (const model::CallNode &node : run.nodes)
        if (run.functions[node.function].object.starts_with("[kernel"))
            sum += node.self;
    return sum;
}

}  // namespace

std::string function_words(const CodeFunction &function) {
    if (function.name != "[unknown]")
        return short_name(function.name);
    return function.object.empty() ? function.name : fmt::format("[unknown, {}]", object_words(function.object));
}

std::string text_functions(const FunctionProfile &run, const CallGraph &graph, const TextStyle &style) {
    std::string command;
    for (const std::string &word : run.command)
        command += (command.empty() ? "" : " ") + word;
    std::string text = marked(harmless(command), style) + "\n";
    if (run.unit == CostUnit::nanoseconds)
        text += fmt::format("  {} of processor time, {} samples by {}; {} of it in the kernel\n",
                            amount(graph.total, run.unit), grouped(run.samples.size()), harmless(run.tool),
                            percent(share(in_kernel(run), graph.total)));
    else
        text += fmt::format("  {} instructions outside of the kernel, counted by {}\n", grouped(graph.total),
                            harmless(run.tool));
    for (const std::string &problem : run.problems)
        text += fmt::format("  not all  {}\n", harmless(problem));
    return text + flat(run, graph, style) + crossings(run, graph, style) + call_graph(run, graph, style);
}

}  // namespace thalweg::report
