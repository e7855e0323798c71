// graph: a run's tree of calls as a flat profile and as a call graph; which functions are an event's, a layer's, a wait's.
#include "graph/functions.h"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace thalweg::graph {

namespace {

using model::CallNode;
using model::FunctionProfile;
using model::FunctionRole;
using model::none;

// A function that calls itself, directly or through others, is inside its own cost already: only its outermost node counts.
bool is_inside_itself(const std::vector<CallNode> &nodes, const CallNode &node) {
    for (uint32_t at = node.parent; at != none; at = nodes[at].parent)
        if (nodes[at].function == node.function)
            return true;
    return false;
}

bool edge_is_inside_itself(const std::vector<CallNode> &nodes, const CallNode &node) {
    const uint32_t caller = nodes[node.parent].function;
    for (uint32_t at = node.parent; nodes[at].parent != none; at = nodes[at].parent)
        if (nodes[at].function == node.function && nodes[nodes[at].parent].function == caller)
            return true;
    return false;
}

class Joiner {
  public:
    explicit Joiner(FunctionProfile &run) : run_(run) {
        for (uint32_t i = 0; i < run.functions.size(); ++i)
            by_name_[run.functions[i].name].push_back(i);
    }
    void note(const std::string &name, FunctionRole role, const std::string &of, uint64_t count) {
        const auto found = by_name_.find(name);
        if (found == by_name_.end())
            return;
        for (const uint32_t function : found->second)
            counts_[{function, role, of}] += count;
    }
    // Each role once, in an order of its own, whatever was noted before.
    void finish() {
        for (const auto &[key, count] : counts_) {
            std::vector<model::RoleOf> &roles = run_.functions[key.function].roles;
            std::erase_if(roles, [&](const model::RoleOf &r) { return r.role == key.role && r.of == key.of; });
            roles.push_back({key.role, key.of, count});
            std::ranges::sort(roles);
        }
    }

  private:
    struct Key {
        uint32_t function;
        FunctionRole role;
        std::string of;
        auto operator<=>(const Key &) const = default;
    };
    FunctionProfile &run_;
    std::unordered_map<std::string, std::vector<uint32_t>> by_name_;
    std::map<Key, uint64_t> counts_;
};

}  // namespace

model::CallGraph call_graph_of(const FunctionProfile &run) {
    model::CallGraph graph;
    graph.functions.resize(run.functions.size());
    std::vector<uint64_t> inclusive(run.nodes.size());
    for (size_t i = run.nodes.size(); i-- > 0;) {
        const CallNode &node = run.nodes[i];
        inclusive[i] += node.self;
        if (node.parent != none)
            inclusive[node.parent] += inclusive[i];
    }
    std::map<std::pair<uint32_t, uint32_t>, model::CallEdge> edges;
    for (size_t i = 0; i < run.nodes.size(); ++i) {
        const CallNode &node = run.nodes[i];
        model::FunctionCost &cost = graph.functions[node.function];
        graph.total += node.self;
        cost.self += node.self;
        cost.count += node.count;
        if (!is_inside_itself(run.nodes, node))
            cost.inclusive += inclusive[i];
        if (node.parent == none)
            continue;
        const uint32_t caller = run.nodes[node.parent].function;
        model::CallEdge &edge = edges[{caller, node.function}];
        edge.caller = caller;
        edge.callee = node.function;
        edge.count += node.count;
        if (!edge_is_inside_itself(run.nodes, node))
            edge.inclusive += inclusive[i];
    }
    for (const auto &[ends, edge] : edges)
        graph.edges.push_back(edge);
    return graph;
}

void join(FunctionProfile &run, const model::Profile &recorded, const std::vector<std::string> &layers) {
    Joiner joiner(run);
    for (const model::Sequence &sequence : recorded.sequences) {
        if (!model::is_of_handlers(recorded.sites[sequence.site].kind))
            continue;
        const std::string &event = recorded.events[sequence.event].name;
        joiner.note(recorded.sites[sequence.site].function, FunctionRole::dispatch, event, sequence.count);
        for (const model::Target &target : sequence.targets)
            if (target.function != none)
                joiner.note(recorded.symbols[target.function].name, FunctionRole::handler, event, sequence.count);
    }
    for (const model::Site &site : recorded.sites)
        if (site.kind == model::SiteKind::wait)
            joiner.note(site.function, FunctionRole::wait, "", 0);
    for (const std::string &layer : layers) {
        const auto function =
            std::ranges::find(recorded.functions, layer, [](const model::ProfiledFunction &f) { return f.body.name; });
        joiner.note(layer, FunctionRole::layer, "", function == recorded.functions.end() ? 0 : function->entries);
    }
    joiner.finish();
}

}  // namespace thalweg::graph
