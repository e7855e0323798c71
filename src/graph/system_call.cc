// graph: from what a profile counted of system calls to the system-call graph (paper cassyopia, section 2).
#include "graph/system_call.h"

#include <algorithm>
#include <map>
#include <set>

#include "graph/event.h"
#include "model/limits.h"

namespace thalweg::graph {

using model::CallSequence;
using model::SystemCallEdge;

namespace {

using Ends = std::pair<uint32_t, uint32_t>;

// The hottest sequences are looked for among edges that weigh at least half as much as the heaviest that is left: so none becomes as rare as
// what happens once before or behind its loop.
constexpr uint64_t share_of_heaviest = 2;

// What leads back from the end of a sequence to its beginning is its repetition, and no sequence of its own.
class SequenceFinder {
  public:
    explicit SequenceFinder(const model::EventGraph &graph) : left_(graph) {
        for (const model::Edge &edge : graph.edges)
            weights_[{edge.from, edge.to}] = edge.weight;
    }

    std::vector<CallSequence> sequences() {
        while (!left_.edges.empty()) {
            uint64_t heaviest = 0;
            for (const model::Edge &edge : left_.edges)
                heaviest = std::max(heaviest, edge.weight);
            const uint64_t eta = heaviest - heaviest / share_of_heaviest;
            for (const model::EventPath &path : event_paths(reduce(left_, eta)))
                add(path);
            std::erase_if(left_.edges, [&](const model::Edge &edge) { return edge.weight >= eta; });
        }
        std::sort(found_.begin(), found_.end(), [](const CallSequence &a, const CallSequence &b) {
            return a.weight != b.weight ? a.weight > b.weight : a.sites < b.sites;
        });
        return std::move(found_);
    }

  private:
    void add(const model::EventPath &path) {
        const Ends ends{path.events.front(), path.events.back()};
        if (path.events.size() == 2 && lead_back_.contains(ends))
            return;
        const Ends back{ends.second, ends.first};
        const auto repeats = weights_.find(back);
        CallSequence sequence{path.events, path.weight, repeats == weights_.end() ? 0 : repeats->second};
        // A call that follows itself is a path of two vertices that are one.
        if (ends.first == ends.second)
            sequence.sites.pop_back();
        lead_back_.insert(back);
        found_.push_back(std::move(sequence));
    }

    model::EventGraph left_;
    std::map<Ends, uint64_t> weights_;
    std::set<Ends> lead_back_;
    std::vector<CallSequence> found_;
};

}  // namespace

uint64_t default_call_eta(const model::Profile &profile) {
    uint64_t total = 0;
    for (const SystemCallEdge &edge : profile.system_call_edges)
        total = edge.weight > model::max_count - total ? model::max_count : total + edge.weight;
    return std::max<uint64_t>(1, total / default_eta_divisor);
}

model::SystemCallGraph system_call_graph_of(const model::Profile &profile, uint64_t eta) {
    std::map<Ends, SystemCallEdge> all;
    for (const SystemCallEdge &edge : profile.system_call_edges)
        if (edge.weight >= std::max<uint64_t>(eta, 1))
            all.emplace(Ends(edge.from, edge.to), edge);
    model::EventGraph graph{.vertices = static_cast<uint32_t>(profile.sites.size()), .edges = {}};
    model::SystemCallGraph result;
    result.eta = eta;
    for (const auto &[ends, edge] : all) {
        graph.edges.push_back({edge.from, edge.to, model::RaiseMode::sync, edge.weight});
        result.edges.push_back(edge);
    }
    std::sort(result.edges.begin(), result.edges.end(), [](const SystemCallEdge &a, const SystemCallEdge &b) {
        return a.weight != b.weight ? a.weight > b.weight : a < b;
    });
    result.sequences = SequenceFinder(graph).sequences();
    return result;
}

}  // namespace thalweg::graph
