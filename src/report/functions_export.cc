// report: a run's functions for other tools: flame graphs, callgrind's viewers, graphviz, spreadsheets.
#include "report/functions_export.h"

#include <algorithm>

#include <fmt/format.h>

#include "report/functions.h"
#include "report/names.h"
#include "report/quoted.h"

namespace thalweg::report {

namespace {

using model::CallGraph;
using model::CallNode;
using model::FunctionProfile;

// What is less is not drawn: a graph of a thousand functions can't be read.
constexpr double least_drawn_share = 0.005;

std::string line_of(const std::string &text) {
    std::string out = harmless(text);
    std::ranges::replace(out, '\n', ' ');
    return out;
}

double share(uint64_t part, uint64_t total) {
    return total == 0 ? 0 : static_cast<double>(part) / static_cast<double>(total);
}

std::string roles_of(const model::CodeFunction &function) {
    std::string text;
    for (const model::RoleOf &role : function.roles)
        text += fmt::format("{}{}{}{}", text.empty() ? "" : "; ", word(role.role), role.of.empty() ? "" : " ", role.of);
    return text;
}

// Names stand in full where they come first, and by number after that.
class Numbered {
  public:
    explicit Numbered(size_t count) : told_(count) {}
    std::string of(size_t index, const std::string &name) {
        const bool told = told_[index];
        told_[index] = true;
        return told ? fmt::format("({})", index + 1) : fmt::format("({}) {}", index + 1, name);
    }

  private:
    std::vector<bool> told_;
};

}  // namespace

std::string folded_stacks(const FunctionProfile &run) {
    std::vector<std::string> names;
    for (const model::CodeFunction &function : run.functions) {
        names.push_back(line_of(function_words(function)));
        std::ranges::replace(names.back(), ';', ':');
    }
    std::string text;
    for (const CallNode &node : run.nodes) {
        if (node.self == 0)
            continue;
        std::string stack = names[node.function];
        for (uint32_t at = node.parent; at != model::none; at = run.nodes[at].parent)
            stack = names[run.nodes[at].function] + ";" + stack;
        text += fmt::format("{} {}\n", stack, node.self);
    }
    return text;
}

std::string callgrind_file(const FunctionProfile &run, const CallGraph &graph) {
    const bool counted = run.unit == model::CostUnit::instructions;
    std::string command;
    for (const std::string &word : run.command)
        command += (command.empty() ? "" : " ") + line_of(word);
    std::string text =
        fmt::format("# callgrind format\nversion: 1\ncreator: thalweg\ncmd: {}\npart: 1\n\npositions: line\n"
                    "event: {} : {}\nevents: {}\nsummary: {}\n",
                    command, counted ? "Ir" : "ns", counted ? "Instructions" : "Processor time in ns",
                    counted ? "Ir" : "ns", graph.total);
    Numbered names(run.functions.size());
    const auto name_of = [&](size_t i) { return names.of(i, line_of(function_words(run.functions[i]))); };
    auto edge = graph.edges.begin();
    for (size_t i = 0; i < run.functions.size(); ++i) {
        const std::string object = line_of(run.functions[i].object);
        text += fmt::format("\nob={}\nfl=???\nfn={}\n0 {}\n", object.empty() ? "???" : object, name_of(i),
                            graph.functions[i].self);
        for (; edge != graph.edges.end() && edge->caller == i; ++edge) {
            const std::string callee = line_of(run.functions[edge->callee].object);
            text +=
                fmt::format("cob={}\ncfi=???\ncfn={}\ncalls={} 0\n0 {}\n", callee.empty() ? "???" : callee,
                            name_of(edge->callee), counted ? edge->count : 0, edge->callee == i ? 0 : edge->inclusive);
        }
    }
    return text + fmt::format("\ntotals: {}\n", graph.total);
}

std::string dot_calls(const FunctionProfile &run, const CallGraph &graph) {
    std::string text = "digraph calls {\n  node [shape=box, style=filled, colorscheme=reds9];\n";
    std::vector<bool> drawn(run.functions.size());
    for (size_t i = 0; i < run.functions.size(); ++i) {
        const double inclusive = share(graph.functions[i].inclusive, graph.total);
        const double self = share(graph.functions[i].self, graph.total);
        drawn[i] = inclusive >= least_drawn_share;
        if (!drawn[i])
            continue;
        constexpr int darkest = 6;  // of 9, on which black letters can be read
        std::string label = dot_string(function_words(run.functions[i]));
        label.pop_back();
        text += fmt::format("  f{} [label={}\\nself {:.1f} % of {:.1f} %\", fillcolor={}];\n", i, label, self * 100,
                            inclusive * 100, 1 + static_cast<int>(self * (darkest - 1)));
    }
    for (const model::CallEdge &edge : graph.edges) {
        const double part = share(edge.inclusive, graph.total);
        if (drawn[edge.caller] && drawn[edge.callee] && part >= least_drawn_share)
            text += fmt::format("  f{} -> f{} [label=\"{:.1f} %\", penwidth={:.2f}];\n", edge.caller, edge.callee,
                                part * 100, 1 + 4 * part);
    }
    return text + "}\n";
}

std::string csv_functions(const FunctionProfile &run, const CallGraph &graph) {
    std::string text = fmt::format("function,object,self_{0},inclusive_{0},{1},what\r\n", word(run.unit),
                                   run.unit == model::CostUnit::instructions ? "calls" : "samples");
    for (size_t i = 0; i < run.functions.size(); ++i)
        text += fmt::format("{},{},{},{},{},{}\r\n", csv_string(function_words(run.functions[i])),
                            csv_string(run.functions[i].object), graph.functions[i].self, graph.functions[i].inclusive,
                            graph.functions[i].count, csv_string(roles_of(run.functions[i])));
    return text;
}

std::string csv_calls(const FunctionProfile &run, const CallGraph &graph) {
    std::string text = fmt::format("caller,callee,inclusive_{}{}\r\n", word(run.unit),
                                   run.unit == model::CostUnit::instructions ? ",calls" : "");
    for (const model::CallEdge &edge : graph.edges)
        text += fmt::format("{},{},{}{}\r\n", csv_string(function_words(run.functions[edge.caller])),
                            csv_string(function_words(run.functions[edge.callee])), edge.inclusive,
                            run.unit == model::CostUnit::instructions ? fmt::format(",{}", edge.count) : "");
    return text;
}

}  // namespace thalweg::report
