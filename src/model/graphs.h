// model: the graphs that a profile or a trace shows, in the terms of paper 000 ("Profile-Directed Optimization of Event-Based
// Programs", PLDI 2002).
#pragma once

#include <cstdint>
#include <vector>

#include "model/profile.h"

namespace thalweg::model {

// One entry of the event trace: an event was raised, and how (section 3.1).
struct Raise {
    uint32_t event = none;
    RaiseMode mode = RaiseMode::sync;
    bool operator==(const Raise &) const = default;
};

// The event graph (section 3.1, Figures 4 to 6). Vertices are events, 0 to `vertices` - 1. There is an edge from A to B if A
// is ever followed immediately by B in the trace; its weight is how many times. Where B was raised in several modes,
// there is an edge for each: the paper's conditions ask for the mode. Sorted by (from, to, mode), each once.
struct EventGraph {
    uint32_t vertices = 0;
    std::vector<Edge> edges;
    bool operator==(const EventGraph &) const = default;
};

// An event path of weight eta is a path on which no edge has a weight below eta (section 3.1); an event chain is defined in
// section 3.2.1. `weight` is the smallest of the edges' weights.
struct EventPath {
    std::vector<uint32_t> events;
    uint64_t weight = 0;
    uint64_t error = 0;  // of that edge's weight
    bool operator==(const EventPath &) const = default;
};

// A handler as the handler graph sees it: a function bound to an event.
struct HandlerVertex {
    uint32_t event = none;
    uint32_t function = none;  // index into Profile::symbols; none: unknown code
    auto operator<=>(const HandlerVertex &) const = default;
};

// Handler `to` ran immediately after `from` began: as the next of the same event (next), because `from` raised its event
// synchronously (raised), or as the next after the events raised by the one before it had been handled (returned).
enum class HandlerStep { next, raised, returned };
inline constexpr const char *handler_step_words[] = {"next", "raised", "returned"};
inline const char *word(HandlerStep step) { return handler_step_words[static_cast<size_t>(step)]; }

struct HandlerEdge {
    uint32_t from = none;  // index into HandlerGraph::vertices
    uint32_t to = none;
    HandlerStep step = HandlerStep::next;
    uint64_t weight = 0;
    uint64_t error = 0;
    auto operator<=>(const HandlerEdge &) const = default;
};

// The handler graph (section 3.1, upper right of Figure 8). Sorted, each vertex and edge once.
struct HandlerGraph {
    std::vector<HandlerVertex> vertices;
    std::vector<HandlerEdge> edges;
    bool operator==(const HandlerGraph &) const = default;
};

// A synchronous raise inside a handler: what event subsumption takes in (section 3.2.1, Figures 8 and 9).
struct Subsumption {
    uint32_t nesting = none;  // index into Profile::nestings
    uint64_t parent_activations = 0;  // how often the handler ran at this position
    double raises_per_activation = 0;  // 1: the handler raises the event every time
    bool chain = false;  // the two events form an event chain
    bool operator==(const Subsumption &) const = default;
};

// System calls that followed one another so often (paper cassyopia, section 2): `weight` is the smallest of the edges' weights.
struct CallSequence {
    std::vector<uint32_t> sites;
    uint64_t weight = 0;
    uint64_t repeats = 0;  // how often the first followed the last at once: a loop
    bool operator==(const CallSequence &) const = default;
};

// The system-call graph, reduced as the event graph is. Its vertices are sites, its dependences stand on the edges.
struct SystemCallGraph {
    uint64_t eta = 0;
    std::vector<SystemCallEdge> edges;  // of weight eta or more, the heaviest first
    std::vector<CallSequence> sequences;  // the heaviest first
    bool operator==(const SystemCallGraph &) const = default;
};

struct Graphs {
    uint64_t eta = 0;
    EventGraph event_graph;
    EventGraph reduced;  // the edges whose weight is at least eta
    std::vector<EventPath> paths;
    std::vector<EventPath> chains;
    HandlerGraph handlers;
    std::vector<Subsumption> subsumptions;  // in the order of the profile's nestings
    SystemCallGraph system_calls;
    bool operator==(const Graphs &) const = default;
};

// Of a run: what a function cost itself, and with all that it called (inclusive).
struct FunctionCost {
    uint64_t self = 0;
    uint64_t inclusive = 0;
    uint64_t count = 0;  // as CallNode::count
    bool operator==(const FunctionCost &) const = default;
};

struct CallEdge {
    uint32_t caller = none;  // index into FunctionProfile::functions
    uint32_t callee = none;
    uint64_t inclusive = 0;  // what the callee cost when this one had called it
    uint64_t count = 0;
    bool operator==(const CallEdge &) const = default;
};

struct CallGraph {
    uint64_t total = 0;
    std::vector<FunctionCost> functions;  // in the order of FunctionProfile::functions
    std::vector<CallEdge> edges;  // sorted by caller and callee, each once
    bool operator==(const CallGraph &) const = default;
};

}  // namespace thalweg::model
