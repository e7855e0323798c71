// graph: the handler graph, the nesting for subsumption, and all graphs of a profile together.
#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "graph/event.h"
#include "graph/system_call.h"
#include "model/limits.h"

namespace thalweg::graph {

using model::HandlerEdge;
using model::HandlerGraph;
using model::HandlerStep;
using model::HandlerVertex;
using model::Nesting;
using model::none;
using model::Profile;
using model::RaiseMode;
using model::Sequence;

namespace {

void add(uint64_t &total, uint64_t more) { total = more > model::max_count - total ? model::max_count : total + more; }

class HandlerGraphBuilder {
  public:
    void vertex(const HandlerVertex &vertex) { vertices_.insert(vertex); }

    void edge(const HandlerVertex &from, const HandlerVertex &to, HandlerStep step, uint64_t weight, uint64_t error) {
        if (weight == 0)
            return;
        auto &[all, all_error] = weights_[{from, to, step}];
        add(all, weight);
        add(all_error, error);
    }

    HandlerGraph graph() const {
        HandlerGraph graph{.vertices = {vertices_.begin(), vertices_.end()}, .edges = {}};
        auto index = [&](const HandlerVertex &vertex) {
            auto place = std::lower_bound(graph.vertices.begin(), graph.vertices.end(), vertex);
            return static_cast<uint32_t>(place - graph.vertices.begin());
        };
        for (const auto &[key, weight] : weights_)
            graph.edges.push_back(
                {index(std::get<0>(key)), index(std::get<1>(key)), std::get<2>(key), weight.first, weight.second});
        return graph;
    }

  private:
    std::set<HandlerVertex> vertices_;
    std::map<std::tuple<HandlerVertex, HandlerVertex, HandlerStep>, std::pair<uint64_t, uint64_t>>
        weights_;  // and errors
};

// A handler at its place: (site, event, position, function).
using Place = std::tuple<uint32_t, uint32_t, uint32_t, uint32_t>;

std::map<Place, uint64_t> activations_of(const Profile &profile) {
    std::map<Place, uint64_t> activations;
    for (const Sequence &sequence : profile.sequences)
        for (uint32_t i = 0; i < sequence.targets.size(); ++i)
            add(activations[{sequence.site, sequence.event, i, sequence.targets[i].function}], sequence.count);
    return activations;
}

Place place_of(const Nesting &nesting) {
    return {nesting.parent_site, nesting.parent_event, nesting.position, nesting.handler};
}

// The sequence that ran most often at each (site, event).
using Dominant = std::map<std::pair<uint32_t, uint32_t>, const Sequence *>;

Dominant dominant_sequences(const Profile &profile) {
    Dominant dominant;
    for (const Sequence &sequence : profile.sequences) {
        if (sequence.targets.empty())
            continue;
        const Sequence *&most = dominant[{sequence.site, sequence.event}];
        if (most == nullptr || sequence.count > most->count)
            most = &sequence;
    }
    return dominant;
}

using NestingsAt = std::map<Place, std::vector<const Nesting *>>;

NestingsAt synchronous_nestings(const Profile &profile) {
    NestingsAt nestings;
    for (const Nesting &nesting : profile.nestings)
        if (nesting.mode == RaiseMode::sync && nesting.count > 0)
            nestings[place_of(nesting)].push_back(&nesting);
    return nestings;
}

uint64_t part(uint64_t whole, uint64_t of, uint64_t all) {
    return all == 0 ? 0 : static_cast<uint64_t>(static_cast<unsigned __int128>(whole) * of / all);
}

// The steps of one recorded sequence: from each handler to the next, by way of what it raised.
void add_sequence(const Sequence &sequence, const NestingsAt &nestings, const Dominant &dominant,
                  const std::map<Place, uint64_t> &activations, HandlerGraphBuilder &builder) {
    for (uint32_t i = 0; i < sequence.targets.size(); ++i) {
        HandlerVertex handler{sequence.event, sequence.targets[i].function};
        builder.vertex(handler);
        bool last = i + 1 == sequence.targets.size();
        HandlerVertex next{sequence.event, last ? none : sequence.targets[i + 1].function};
        uint64_t straight = sequence.count;
        Place place{sequence.site, sequence.event, i, sequence.targets[i].function};
        auto here = nestings.find(place);
        for (size_t n = 0; here != nestings.end() && n < here->second.size(); ++n) {
            const Nesting &nesting = *here->second[n];
            auto child = dominant.find({nesting.child_site, nesting.child_event});
            if (child == dominant.end())
                continue;
            uint64_t count = part(nesting.count, sequence.count, activations.at(place));
            const auto &targets = child->second->targets;
            builder.edge(handler, {nesting.child_event, targets.front().function}, HandlerStep::raised, count,
                         nesting.error);
            if (!last)
                builder.edge({nesting.child_event, targets.back().function}, next, HandlerStep::returned, count,
                             nesting.error);
            straight -= std::min(straight, count);
        }
        if (!last)
            builder.edge(handler, next, HandlerStep::next, straight, sequence.error);
    }
}

std::vector<model::Subsumption> subsumptions_of(const Profile &profile, const model::EventGraph &reduced) {
    std::map<Place, uint64_t> activations = activations_of(profile);
    std::vector<model::Subsumption> all;
    for (uint32_t i = 0; i < profile.nestings.size(); ++i) {
        const Nesting &nesting = profile.nestings[i];
        if (nesting.mode != RaiseMode::sync || nesting.count == 0)
            continue;
        auto found = activations.find(place_of(nesting));
        uint64_t ran = found == activations.end() ? 0 : found->second;
        double each = ran == 0 ? 0 : static_cast<double>(nesting.count) / static_cast<double>(ran);
        all.push_back({i, ran, each, is_chain_edge(reduced, nesting.parent_event, nesting.child_event)});
    }
    return all;
}

}  // namespace

HandlerGraph build_handler_graph(std::span<const HandlerVertex> trace) {
    HandlerGraphBuilder builder;
    for (const HandlerVertex &handler : trace)
        builder.vertex(handler);
    for (size_t i = 1; i < trace.size(); ++i)
        builder.edge(trace[i - 1], trace[i], HandlerStep::next, 1, 0);
    return builder.graph();
}

HandlerGraph handler_graph_of(const Profile &profile) {
    NestingsAt nestings = synchronous_nestings(profile);
    Dominant dominant = dominant_sequences(profile);
    std::map<Place, uint64_t> activations = activations_of(profile);
    HandlerGraphBuilder builder;
    for (const Sequence &sequence : profile.sequences)
        if (sequence.count > 0)
            add_sequence(sequence, nestings, dominant, activations, builder);
    // A dominant sequence that never ran (count 0) can still be the end of an edge in a profile made by hand.
    for (const auto &[at, sequence] : dominant)
        for (const model::Target &target : sequence->targets)
            builder.vertex({sequence->event, target.function});
    return builder.graph();
}

model::Graphs build(const Profile &profile, uint64_t eta) {
    model::Graphs graphs;
    graphs.eta = eta;
    graphs.event_graph = event_graph_of(profile);
    graphs.reduced = reduce(graphs.event_graph, eta);
    graphs.paths = event_paths(graphs.reduced);
    graphs.chains = event_chains(graphs.reduced);
    graphs.handlers = handler_graph_of(profile);
    graphs.subsumptions = subsumptions_of(profile, graphs.reduced);
    graphs.system_calls = system_call_graph_of(profile, default_call_eta(profile));
    return graphs;
}

}  // namespace thalweg::graph
