// report: the graphs for other tools: graphviz and tables.
#include <algorithm>

#include <fmt/format.h>

#include "report/quoted.h"
#include "report/text.h"
#include "report/text_table.h"

namespace thalweg::report {

using model::Profile;

namespace {

template <class Edges>
uint64_t heaviest_of(const Edges &edges) {
    uint64_t heaviest = 0;
    for (const auto &edge : edges)
        heaviest = std::max(heaviest, edge.weight);
    return heaviest;
}

std::string handler_words(const Profile &profile, const model::HandlerVertex &vertex) {
    return fmt::format("{}: {}", profile.events[vertex.event].name, function_name(profile, vertex.function));
}

}  // namespace

// Heavier edges are thicker: from 1 to 5 points, by the share of the heaviest.
double pen_width(uint64_t weight, uint64_t heaviest) {
    return heaviest == 0 ? 1 : 1 + 4 * static_cast<double>(weight) / static_cast<double>(heaviest);
}

// Of how far a weight may be off, the field of a CSV line: empty, nobody knows.
std::string error_words(uint64_t error) { return error == model::unknown_error ? "" : std::to_string(error); }

std::string dot_events(const Profile &profile, const model::EventGraph &graph) {
    std::string text = "digraph events {\n  node [shape=box, style=rounded];\n";
    std::vector<bool> shown(profile.events.size());
    for (const model::Edge &edge : graph.edges)
        shown[edge.from] = shown[edge.to] = true;
    for (size_t i = 0; i < profile.events.size(); ++i)
        if (shown[i])
            text += fmt::format("  e{} [label={}];\n", i, dot_string(profile.events[i].name));
    const uint64_t heaviest = heaviest_of(graph.edges);
    for (const model::Edge &edge : graph.edges)
        text += fmt::format("  e{} -> e{} [label=\"{}{}\", penwidth={:.2f}{}];\n", edge.from, edge.to,
                            edge.error == 0 ? "" : "~", edge.weight, pen_width(edge.weight, heaviest),
                            edge.mode == model::RaiseMode::sync ? "" : ", style=dashed");
    return text + "}\n";
}

std::string dot_handlers(const Profile &profile, const model::HandlerGraph &graph) {
    std::string text = "digraph handlers {\n  node [shape=box];\n";
    for (size_t i = 0; i < graph.vertices.size(); ++i)
        text += fmt::format("  h{} [label={}];\n", i, dot_string(handler_words(profile, graph.vertices[i])));
    const uint64_t heaviest = heaviest_of(graph.edges);
    for (const model::HandlerEdge &edge : graph.edges)
        text += fmt::format("  h{} -> h{} [label=\"{}{}\", penwidth={:.2f}{}];\n", edge.from, edge.to,
                            edge.error == 0 ? "" : "~", edge.weight, pen_width(edge.weight, heaviest),
                            edge.step == model::HandlerStep::next ? "" : ", color=blue");
    return text + "}\n";
}

std::string csv_events(const Profile &profile, const model::EventGraph &graph) {
    std::string text = "from,to,mode,weight,error\r\n";
    for (const model::Edge &edge : graph.edges)
        text += fmt::format("{},{},{},{},{}\r\n", csv_string(profile.events[edge.from].name),
                            csv_string(profile.events[edge.to].name), word(edge.mode), edge.weight,
                            error_words(edge.error));
    return text;
}

std::string csv_handlers(const Profile &profile, const model::HandlerGraph &graph) {
    std::string text = "from_event,from_handler,to_event,to_handler,step,weight,error\r\n";
    for (const model::HandlerEdge &edge : graph.edges) {
        const model::HandlerVertex &from = graph.vertices[edge.from], &to = graph.vertices[edge.to];
        text += fmt::format("{},{},{},{},{},{},{}\r\n", csv_string(profile.events[from.event].name),
                            csv_string(function_name(profile, from.function)),
                            csv_string(profile.events[to.event].name), csv_string(function_name(profile, to.function)),
                            word(edge.step), edge.weight, error_words(edge.error));
    }
    return text;
}

}  // namespace thalweg::report
