// graph: from a trace or a profile to event graph, paths, chains, handler graph and nesting, by the definitions of paper 000.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/graphs.h"
#include "model/profile.h"

namespace thalweg::graph {

// The GraphBuilder algorithm (Figure 4): an edge for each pair of neighbours in the trace, its weight how often.
model::EventGraph build_event_graph(std::span<const model::Raise> trace, uint32_t vertices);

// The event graph whose edges the recorder has counted while the program ran.
model::EventGraph event_graph_of(const model::Profile &profile);

// The reduced event graph (section 3.1): edges whose weight is below eta are discarded.
model::EventGraph reduce(const model::EventGraph &graph, uint64_t eta);

// Whether `events` is an event path of weight eta (section 3.1): a path on which no edge has a weight below eta.
bool is_event_path(const model::EventGraph &graph, std::span<const uint32_t> events, uint64_t eta);

// Event paths that share no edge and together have all edges of `reduced`, those with the heaviest edges first. No path
// visits an event twice, but for one that is a single edge from an event to itself.
std::vector<model::EventPath> event_paths(const model::EventGraph &reduced);

// Whether the edge from -> to may be part of an event chain (section 3.2.1): (i) `from` has exactly one successor edge that
// corresponds to a synchronous activation, and (ii) that edge leads to `to`.
bool is_chain_edge(const model::EventGraph &graph, uint32_t from, uint32_t to);

// Whether `events` is an event chain (section 3.2.1): a path a0 -> ... -> an, n > 0, where each vertex but the last has
// exactly one successor edge corresponding to a synchronous activation, and each edge is synchronous.
bool is_event_chain(const model::EventGraph &graph, std::span<const uint32_t> events);

// The maximal event chains: none can be made longer at either end without visiting an event twice. A ring of events is cut
// at its lightest edge. Ordered by first event.
std::vector<model::EventPath> event_chains(const model::EventGraph &graph);

// The handler graph of a trace of handlers, built in the same way as the event graph (section 3.1); all its steps are
// called `next`, for a trace does not tell them apart.
model::HandlerGraph build_handler_graph(std::span<const model::HandlerVertex> trace);

// The handler graph as far as counters tell it: the steps inside each dispatch. Where a handler raised several events,
// each is taken to have been entered from the handler and to have returned to the next one.
model::HandlerGraph handler_graph_of(const model::Profile &profile);

// Eta when nobody names one: this share of all transitions, at least 1. The paper's Figure 6 uses 300 of about 8,000; a
// smaller one here, because a cold edge that stays costs nothing.
inline constexpr uint64_t default_eta_divisor = 1000;
uint64_t default_eta(const model::Profile &profile);

model::Graphs build(const model::Profile &profile, uint64_t eta);

}  // namespace thalweg::graph
