// transform: the lines of a plan, from decisions to outcomes.
#include "transform/event/lines.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"

#include "transform/event/event.h"
#include "transform/ir/rounding.h"
#include "transform/site/expand.h"

namespace thalweg::transform {

using namespace llvm;

namespace {

constexpr const char *no_copy =
    "the dispatcher that its function had a copy of when it was recorded cannot be put into it";

void forget_origins(Function &function) {
    for (Instruction &one : instructions(function))
        if (auto *call = dyn_cast<CallBase>(&one))
            forget_origin(*call);
}

// Of a decision and of what its super-handler takes in.
double gain_of(const PathNode &node) {
    double gain = node.decision->predicted_gain_total_ms;
    for (const auto &[position, children] : node.children)
        for (const PathNode *child : children)
            gain += gain_of(*child);
    return gain;
}

}  // namespace

Lines::Lines(const model::Plan &plan, Module &module, FunctionAnalysisManager &analyses, uint64_t room, bool all_sites)
    : module_(module), analyses_(analyses) {
    if (!all_sites && none_of(plan.decisions, [](const model::Decision &one) { return is_of_dispatch(one.kind()); }))
        return;
    sites_ = find_recorded_sites(module, analyses, room);
    tree_ = resolve(plan, sites_, module);
    outcomes_ = std::move(tree_.refused);
    std::set<uint32_t> planned;
    for (const PathNode &node : tree_.nodes)
        planned.insert(node.site);
    std::vector<const RecordedSite *> wanted;
    for (const uint32_t site : planned) {
        wanted.push_back(&sites_[site]);
        sites_of_[sites_[site].site.function].push_back(site);
    }
    keep_origins_of(wanted, module);
}

LineClaims Lines::prepare() {
    for (const PathNode &node : tree_.nodes)
        if (Function *function = sites_[node.site].site.function; !bodies_.contains(function))
            copy_body(*function);
    std::map<uint32_t, std::string> misfits;
    for (const auto &[site, nodes] : tree_.roots)
        if (std::string why = misfit(site); !why.empty())
            misfits[site] = std::move(why);
    for (const auto &[site, why] : misfits)
        refuse(site, why);
    LineClaims claims;
    for (const auto &[site, nodes] : tree_.roots)
        claim(site, nodes, claims);
    return claims;
}

// The function with the copies of dispatchers that its sites lie in, so that what is taken in elsewhere is the original.
void Lines::copy_body(Function &function) {
    Function *body = bodies_[&function] = copy_of(function, "thalweg.pristine.");
    for (const uint32_t number : sites_of_.at(&function))
        if (auto copied = bring_in(*body, sites_[number].origins.front(), analyses_)) {
            copied_[number] = std::move(*copied);
            put_site(*body, sites_[number]);
        }
    forget_origins(*body);
    DominatorTree dominators(*body);
    LoopInfo loops(dominators);
    for (Loop *loop : loops.getLoopsInPreorder())
        if (any_of(dispatch_calls(*loop, loops), [](const CallBase *call) { return site_of(*call) != no_site; }))
            bring_into_form(*loop, dominators, loops);
    analyses_.invalidate(*body, PreservedAnalyses::none());
}

// Why no line can be made of a dispatch; empty: it can.
std::string Lines::misfit(uint32_t site) {
    if (!copied_.contains(site))
        return no_copy;
    Function &function = *sites_[site].site.function;
    if (std::string why = why_rounding_stays(function); !why.empty())
        return why;
    Function &body = *bodies_.at(&function);
    DominatorTree dominators(body);
    LoopInfo loops(dominators);
    for (Loop *loop : loops.getLoopsInPreorder())
        if (const auto calls = calls_of_site(*loop, loops, site); !calls.empty())
            return why_no_line(*loop, calls);
    return "its loop is gone";
}

void Lines::claim(uint32_t site, const std::vector<const PathNode *> &nodes, LineClaims &claims) const {
    const Function &function = *sites_[site].site.function;
    LineClaims::Claim &own =
        claims.lines.try_emplace(&function, LineClaims::Claim{nodes.front()->decision->id, 0}).first->second;
    for (const PathNode *node : nodes)
        own.gain_ms += gain_of(*node);
    for (const Function *dispatcher : copied_.at(site)) {
        const LineClaims::Copy copy{nodes.front()->decision->id, function.getName().str()};
        LineClaims::Copy &there = claims.copied.try_emplace(dispatcher, copy).first->second;
        for (const PathNode *node : nodes)
            there.gain_ms += gain_of(*node);
    }
}

// Marks the site's calls; false: there are none.
bool Lines::put_site(Function &function, const RecordedSite &recorded) {
    bool found = false;
    for (Instruction &one : instructions(function))
        if (auto *call = dyn_cast<CallBase>(&one); call && !origin_of(*call).empty())
            if (const auto at = find(recorded.origins, origin_of(*call)); at != recorded.origins.end()) {
                set_site(*call, recorded.site.number, static_cast<uint32_t>(at - recorded.origins.begin()));
                found = true;
            }
    return found;
}

std::vector<model::DecisionOutcome> Lines::make(const std::map<std::string, uint32_t> &taken, PathTable &paths,
                                                GuardCounter &counter) {
    std::map<uint32_t, std::string> lost;
    for (const auto &[site, nodes] : tree_.roots) {
        const DispatchSite &at = sites_[site].site;
        if (const auto layer = taken.find(at.key.function); layer != taken.end())
            lost[site] = fmt::format("decision {} makes {} into code for its facts, from which more is expected",
                                     layer->second, at.key.function);
        else if (!bring_in(*at.function, sites_[site].origins.front(), analyses_) ||
                 !put_site(*at.function, sites_[site]))
            lost[site] = no_copy;
    }
    for (const auto &[site, why] : lost)
        refuse(site, why);
    keep_origins_of({}, module_);
    std::vector<DispatchSite> sites;
    for (const RecordedSite &recorded : sites_)
        sites.push_back(recorded.site);
    const std::vector<model::DecisionOutcome> made =
        specialise_dispatches(analyses_, sites, tree_, bodies_, paths, counter);
    outcomes_.insert(outcomes_.end(), made.begin(), made.end());
    erase_bodies();
    return std::move(outcomes_);
}

void Lines::refuse(uint32_t site, const std::string &why) {
    for (const PathNode *node : tree_.roots.at(site))
        outcomes_.push_back({node->decision->id, false, why, 0});
    tree_.roots.erase(site);
}

void Lines::erase_bodies() {
    for (const auto &[function, body] : bodies_) {
        analyses_.clear(*body, body->getName());
        body->eraseFromParent();
    }
    bodies_.clear();
}

}  // namespace thalweg::transform
