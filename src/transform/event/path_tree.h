// transform: a plan's decisions found again in this module: super-handlers, and what they take in, as trees.
#pragma once

#include <deque>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "model/plan.h"
#include "transform/event/path_table.h"
#include "transform/site/recorded_site.h"

namespace thalweg::transform {

struct PathNode {
    const model::Decision *decision = nullptr;
    uint32_t site = no_site;
    std::vector<PathTarget> targets;
    std::vector<unsigned> calls;  // of each target: the number of the loop's call
    std::map<uint32_t, std::vector<const PathNode *>> children;  // by position of the handler
    std::set<uint32_t> called;  // positions of handlers that are not taken in
    std::set<std::string> foreign;  // targets that are no functions of this module
};

struct PathTree {
    std::deque<PathNode> nodes;                                // a stable address for each
    std::map<uint32_t, std::vector<const PathNode *>> roots;   // by site, heaviest first
    std::vector<model::DecisionOutcome> refused;               // what is not in the trees, and why
};

// A decision whose parent is left out is left out. Each of the plan's decisions about dispatches is in `nodes` or in `refused`.
PathTree resolve(const model::Plan &plan, const std::vector<RecordedSite> &sites, llvm::Module &module);

}  // namespace thalweg::transform
