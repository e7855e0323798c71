// graph: event graph, reduced graph, event paths and event chains.
#include "graph/event.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "model/limits.h"

namespace thalweg::graph {

using model::Edge;
using model::EventGraph;
using model::EventPath;
using model::none;
using model::RaiseMode;

namespace {

using EdgeKey = std::tuple<uint32_t, uint32_t, RaiseMode>;
struct Weight {
    uint64_t weight = 0;
    uint64_t error = 0;
};
using Weights = std::map<EdgeKey, Weight>;

void add(uint64_t &total, uint64_t more) { total = more > model::max_count - total ? model::max_count : total + more; }

EventGraph graph_of(const Weights &weights, uint32_t vertices) {
    EventGraph graph{.vertices = vertices, .edges = {}};
    for (const auto &[key, weight] : weights)
        graph.edges.push_back({std::get<0>(key), std::get<1>(key), std::get<2>(key), weight.weight, weight.error});
    return graph;
}

// The edges that leave `from`: they stand together.
std::span<const Edge> successors(const EventGraph &graph, uint32_t from) {
    auto begin =
        std::partition_point(graph.edges.begin(), graph.edges.end(), [&](const Edge &e) { return e.from < from; });
    auto end = std::partition_point(begin, graph.edges.end(), [&](const Edge &e) { return e.from == from; });
    return {begin, end};
}

// Where the only synchronous edge of `from` leads, or null if there is none or another one (condition i).
const Edge *only_synchronous_successor(const EventGraph &graph, uint32_t from) {
    const Edge *only = nullptr;
    for (const Edge &edge : successors(graph, from)) {
        if (edge.mode != RaiseMode::sync)
            continue;
        if (only != nullptr)
            return nullptr;
        only = &edge;
    }
    return only;
}

void take_lighter(EventPath &path, const Edge &edge) {
    if (edge.weight >= path.weight)
        return;
    path.weight = edge.weight;
    path.error = edge.error;
}

// Takes edges from a graph, each once, the heaviest first.
class PathFinder {
  public:
    explicit PathFinder(const EventGraph &graph) : graph_(graph), taken_(graph.edges.size()), on_path_(graph.vertices) {
        for (uint32_t i = 0; i < graph.edges.size(); ++i)
            order_.push_back(i);
        std::sort(order_.begin(), order_.end(), [&](uint32_t a, uint32_t b) {
            uint64_t weight_a = graph_.edges[a].weight, weight_b = graph_.edges[b].weight;
            return weight_a != weight_b ? weight_a > weight_b : a < b;
        });
        leaving_.resize(graph.vertices);
        entering_.resize(graph.vertices);
        for (uint32_t edge : order_) {
            leaving_[graph.edges[edge].from].edges.push_back(edge);
            entering_[graph.edges[edge].to].edges.push_back(edge);
        }
    }

    std::vector<EventPath> paths() {
        std::vector<EventPath> all;
        for (uint32_t edge : order_)
            if (!taken_[edge])
                all.push_back(path_through(edge));
        return all;
    }

  private:
    // The edges at one end of a vertex, heaviest first; those before `next` are taken.
    struct Row {
        std::vector<uint32_t> edges;
        size_t next = 0;
    };

    // How many edges of one event are looked at for one that leads off the path; real graphs have a handful, and a
    // hostile one must not make the search quadratic.
    static constexpr size_t most_looked_at = 64;

    // The heaviest edge that is left and leads to an event that is not on the path.
    template <class Far>
    const Edge *heaviest_left(Row &row, Far far) {
        while (row.next < row.edges.size() && taken_[row.edges[row.next]])
            ++row.next;
        size_t end = std::min(row.edges.size(), row.next + most_looked_at);
        for (size_t i = row.next; i < end; ++i) {
            const Edge &edge = graph_.edges[row.edges[i]];
            if (!taken_[row.edges[i]] && !on_path_[far(edge)])
                return &edge;
        }
        return nullptr;
    }

    EventPath path_through(uint32_t first) {
        const Edge &heaviest = graph_.edges[first];
        taken_[first] = true;
        std::vector<uint32_t> forward{heaviest.to}, backward{heaviest.from};
        EventPath path{{}, heaviest.weight, heaviest.error};
        on_path_[heaviest.from] = on_path_[heaviest.to] = true;
        if (heaviest.from != heaviest.to) {
            extend(forward, leaving_, [](const Edge &edge) { return edge.to; }, path);
            extend(backward, entering_, [](const Edge &edge) { return edge.from; }, path);
        }
        path.events.assign(backward.rbegin(), backward.rend());
        path.events.insert(path.events.end(), forward.begin(), forward.end());
        for (uint32_t event : path.events)
            on_path_[event] = false;
        return path;
    }

    template <class Far>
    void extend(std::vector<uint32_t> &events, std::vector<Row> &rows, Far far, EventPath &path) {
        while (const Edge *edge = heaviest_left(rows[events.back()], far)) {
            taken_[static_cast<size_t>(edge - graph_.edges.data())] = true;
            on_path_[far(*edge)] = true;
            take_lighter(path, *edge);
            events.push_back(far(*edge));
        }
    }

    const EventGraph &graph_;
    std::vector<uint32_t> order_;  // edges, heaviest first
    std::vector<bool> taken_;
    std::vector<bool> on_path_;
    std::vector<Row> leaving_, entering_;
};

// What the chains of a graph are made of: for each vertex the edge that may continue a chain through it.
class ChainFinder {
  public:
    explicit ChainFinder(const EventGraph &graph) : graph_(graph), next_(graph.vertices), entered_(graph.vertices) {
        for (uint32_t event = 0; event < graph.vertices; ++event) {
            const Edge *edge = only_synchronous_successor(graph, event);
            if (edge == nullptr || edge->to == event)
                continue;
            next_[event] = edge;
            entered_[edge->to] = true;
        }
    }

    std::vector<EventPath> chains() {
        std::vector<EventPath> all;
        std::vector<bool> seen(graph_.vertices);
        for (uint32_t event = 0; event < graph_.vertices; ++event)
            if (next_[event] != nullptr && !entered_[event])
                all.push_back(chain_from(event, seen));
        for (uint32_t event = 0; event < graph_.vertices; ++event)
            if (next_[event] != nullptr && !seen[event])
                all.push_back(chain_from(after_lightest_edge(event), seen));
        std::sort(all.begin(), all.end(), [](const EventPath &a, const EventPath &b) { return a.events < b.events; });
        return all;
    }

  private:
    EventPath chain_from(uint32_t event, std::vector<bool> &seen) {
        EventPath chain{{event}, UINT64_MAX};
        std::vector<bool> &visited = visited_;
        visited.resize(graph_.vertices);
        visited[event] = true;
        while (next_[event] != nullptr && !visited[next_[event]->to]) {
            take_lighter(chain, *next_[event]);
            event = next_[event]->to;
            visited[event] = true;
            chain.events.push_back(event);
        }
        for (uint32_t passed : chain.events) {
            seen[passed] = true;
            visited[passed] = false;
        }
        return chain;
    }

    // In a ring, which nothing enters.
    uint32_t after_lightest_edge(uint32_t start) const {
        const Edge *lightest = next_[start];
        for (const Edge *edge = next_[lightest->to]; edge != next_[start]; edge = next_[edge->to])
            if (edge->weight < lightest->weight)
                lightest = edge;
        return lightest->to;
    }

    const EventGraph &graph_;
    std::vector<const Edge *> next_;
    std::vector<bool> entered_;
    std::vector<bool> visited_;
};

}  // namespace

EventGraph build_event_graph(std::span<const model::Raise> trace, uint32_t vertices) {
    Weights weights;
    for (size_t i = 1; i < trace.size(); ++i)
        ++weights[{trace[i - 1].event, trace[i].event, trace[i].mode}].weight;
    return graph_of(weights, vertices);
}

EventGraph event_graph_of(const model::Profile &profile) {
    Weights weights;
    for (const Edge &edge : profile.edges)
        if (edge.weight > 0) {
            Weight &weight = weights[{edge.from, edge.to, edge.mode}];
            add(weight.weight, edge.weight);
            add(weight.error, edge.error);
        }
    return graph_of(weights, static_cast<uint32_t>(profile.events.size()));
}

EventGraph reduce(const EventGraph &graph, uint64_t eta) {
    EventGraph reduced{.vertices = graph.vertices, .edges = {}};
    for (const Edge &edge : graph.edges)
        if (edge.weight >= eta)
            reduced.edges.push_back(edge);
    return reduced;
}

bool is_event_path(const EventGraph &graph, std::span<const uint32_t> events, uint64_t eta) {
    for (size_t i = 1; i < events.size(); ++i) {
        auto edges = successors(graph, events[i - 1]);
        bool heavy_enough = std::any_of(edges.begin(), edges.end(),
                                        [&](const Edge &edge) { return edge.to == events[i] && edge.weight >= eta; });
        if (!heavy_enough)
            return false;
    }
    return events.size() > 1;
}

std::vector<EventPath> event_paths(const EventGraph &reduced) { return PathFinder(reduced).paths(); }

bool is_chain_edge(const EventGraph &graph, uint32_t from, uint32_t to) {
    const Edge *only = only_synchronous_successor(graph, from);
    return only != nullptr && only->to == to;
}

bool is_event_chain(const EventGraph &graph, std::span<const uint32_t> events) {
    for (size_t i = 1; i < events.size(); ++i)
        if (!is_chain_edge(graph, events[i - 1], events[i]))
            return false;
    return events.size() > 1;
}

std::vector<EventPath> event_chains(const EventGraph &graph) { return ChainFinder(graph).chains(); }

uint64_t default_eta(const model::Profile &profile) {
    uint64_t total = 0;
    for (const Edge &edge : profile.edges)
        add(total, edge.weight);
    return std::max<uint64_t>(1, total / default_eta_divisor);
}

}  // namespace thalweg::graph
