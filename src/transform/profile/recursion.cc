// transform: circles of calls, as LLVM's iterator over strongly connected components finds them.
#include "transform/profile/recursion.h"

#include "llvm/ADT/GraphTraits.h"
#include "llvm/ADT/SCCIterator.h"

namespace thalweg::transform {

namespace {

struct CallNode {
    const llvm::Function *function = nullptr;
    std::vector<CallNode *> callees = {};
};

// The first node is no function, and leads to all of them.
using CallNodes = std::vector<CallNode>;

CallNodes nodes_of(llvm::ArrayRef<Caller> callers) {
    CallNodes nodes(callers.size() + 1);
    llvm::DenseMap<const llvm::Function *, CallNode *> node_of;
    for (size_t i = 0; i < callers.size(); ++i) {
        nodes[i + 1].function = callers[i].function;
        node_of[callers[i].function] = &nodes[i + 1];
        nodes[0].callees.push_back(&nodes[i + 1]);
    }
    for (size_t i = 0; i < callers.size(); ++i)
        for (const auto &[callee, per_entry] : callers[i].callees)
            if (CallNode *node = node_of.lookup(callee))
                nodes[i + 1].callees.push_back(node);
    return nodes;
}

}  // namespace

}  // namespace thalweg::transform

template <>
struct llvm::GraphTraits<thalweg::transform::CallNodes *> {
    using NodeRef = thalweg::transform::CallNode *;
    using ChildIteratorType = std::vector<NodeRef>::iterator;
    static NodeRef getEntryNode(thalweg::transform::CallNodes *nodes) { return &nodes->front(); }
    static ChildIteratorType child_begin(NodeRef node) { return node->callees.begin(); }
    static ChildIteratorType child_end(NodeRef node) { return node->callees.end(); }
};

namespace thalweg::transform {

Recursion::Recursion(llvm::ArrayRef<Caller> callers) {
    CallNodes nodes = nodes_of(callers);
    unsigned circle = 0;
    for (auto one = llvm::scc_begin(&nodes); !one.isAtEnd(); ++one, ++circle)
        if (one.hasCycle())
            for (const CallNode *node : *one)
                circle_of_[node->function] = circle;
}

bool Recursion::is_within(const llvm::Function *caller, const llvm::Function *callee) const {
    const auto from = circle_of_.find(caller);
    const auto to = circle_of_.find(callee);
    return from != circle_of_.end() && to != circle_of_.end() && from->second == to->second;
}

}  // namespace thalweg::transform
