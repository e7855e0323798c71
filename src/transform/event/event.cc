// transform: dispatch sites become straight lines.
#include "transform/event/event.h"

#include <deque>
#include <set>

#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/ADCE.h"
#include "llvm/Transforms/Scalar/DeadStoreElimination.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/GVN.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

#include "transform/event/dead_lifetime.h"
#include "transform/event/epilogue.h"
#include "transform/event/line_builder.h"
#include "transform/event/prologue.h"
#include "transform/event/slot_image.h"
#include "transform/event/unseen_store.h"
#include "transform/ir/own_thread.h"
#include "transform/specializer/layer.h"

namespace thalweg::transform {

using namespace llvm;

namespace {

// A line that serves less than a tenth of its place's raises, after a guard failed elsewhere, takes in nothing that its handlers
// raise. A chain of n events needs so 2n lines, not n*n/2; its inner events keep their fast code when an outer one is rebound (the
// paper's Figure 14).
constexpr double min_served_elsewhere = 0.9;

class SiteSpecializer {
  public:
    SiteSpecializer(FunctionAnalysisManager &analyses, PathTable &paths, GuardCounter &counter,
                    const PristineBodies &pristine)
        : analyses_(analyses), paths_(paths), counter_(counter), pristine_(pristine) {}

    void specialise(const DispatchSite &site, const std::vector<const PathNode *> &planned, const PathTree &tree) {
        std::deque<PathNode> thin;
        std::vector<const PathNode *> nodes;
        for (const PathNode *node : planned)
            nodes.push_back(is_served_elsewhere(*node, tree) ? &thin.emplace_back(without_children(*node)) : node);
        Function &function = *site.function;
        const int64_t before = function.getInstructionCount();
        LineBuilder builder(analyses_, paths_, counter_, pristine_);
        std::map<const PathNode *, Merged> merged;
        const std::string misfit = straighten(site, nodes, builder, merged);
        const int64_t growth = function.getInstructionCount() - before;
        for (const PathNode *node : nodes)
            outcomes_.push_back({node->decision->id, misfit.empty(),
                                 misfit.empty() ? remark(*node, function, merged[node]) : misfit,
                                 misfit.empty() ? growth : 0});
        taken_in_.insert(builder.taken_in().begin(), builder.taken_in().end());
        left_out_.insert(builder.left_out().begin(), builder.left_out().end());
        analyses_.invalidate(function, PreservedAnalyses::none());
    }

    std::vector<model::DecisionOutcome> outcomes(const PathTree &tree) const {
        std::vector<model::DecisionOutcome> all = outcomes_;
        for (const PathNode &node : tree.nodes)
            if (node.decision->kind() == model::DecisionKind::subsume)
                all.push_back(subsumed(*node.decision));
        return all;
    }

  private:
    // What of the node's raises was taken into other lines. A raise in a chain is counted under each of its lines; those
    // that are thin take nothing in.
    bool is_served_elsewhere(const PathNode &node, const PathTree &tree) const {
        double elsewhere = 0;
        for (const PathNode &other : tree.nodes)
            if (other.decision->kind() == model::DecisionKind::subsume && other.site == node.site &&
                other.decision->event == node.decision->event && taken_in_.count(other.decision->id))
                elsewhere += static_cast<double>(other.decision->weight);
        return !node.children.empty() && elsewhere >= min_served_elsewhere * static_cast<double>(node.decision->weight);
    }

    // The handlers that raise something are called, and have lines of their own for it.
    PathNode without_children(const PathNode &node) {
        PathNode thin = node;
        for (const auto &[position, children] : node.children) {
            thin.called.insert(position);
            for (const PathNode *child : children)
                leave_out(*child,
                          fmt::format("nearly all raises of {} here are taken into other super-handlers; for what "
                                      "is left the handlers that raise are called",
                                      node.decision->event));
        }
        thin.children.clear();
        return thin;
    }

    void leave_out(const PathNode &node, const std::string &why) {
        left_out_[node.decision->id] = why;
        for (const auto &[position, children] : node.children)
            for (const PathNode *child : children)
                leave_out(*child, why);
    }

    model::DecisionOutcome subsumed(const model::Decision &decision) const {
        if (taken_in_.count(decision.id))
            return {decision.id, true, "taken into the super-handler of decision " + std::to_string(decision.parent),
                    0};
        if (const auto reason = left_out_.find(decision.id); reason != left_out_.end())
            return {decision.id, false, reason->second, 0};
        return {decision.id, false, "the handler around it could not be taken into its super-handler", 0};
    }

    static std::string remark(const PathNode &node, const Function &function, const Merged &merged) {
        const std::string name = function.getName().str();
        const auto known = llvm::count_if(node.targets, [](const PathTarget &target) { return target.function; });
        const std::string foreign = node.foreign.empty()
                                        ? ""
                                        : fmt::format("; called through the list, as no functions of this program: {}",
                                                      fmt::join(node.foreign, ", "));
        if (!merged.why_not.empty())
            return fmt::format("{} targets called directly in {}; not merged: {}", known, name, merged.why_not) +
                   foreign;
        return fmt::format("{} targets merged into a straight line in {}", known, name) + still_called(merged.left) +
               foreign;
    }

    static std::vector<Alternative> alternatives(const std::vector<const PathNode *> &nodes) {
        std::vector<Alternative> all;
        for (const PathNode *node : nodes) {
            all.push_back({node, true});
            // When an event inside was rebound, the rest keeps its fast code (paper 000, Figure 14).
            if (!node->children.empty())
                all.push_back({node, false});
        }
        return all;
    }

    std::string straighten(const DispatchSite &found, const std::vector<const PathNode *> &nodes, LineBuilder &builder,
                           std::map<const PathNode *, Merged> &merged) {
        Function &function = *found.function;
        DominatorTree dominators(function);
        LoopInfo loops(dominators);
        for (Loop *loop : loops.getLoopsInPreorder()) {
            const std::vector<CallBase *> calls = calls_of_site(*loop, loops, found.number);
            if (calls.empty())
                continue;
            bring_into_form(*loop, dominators, loops);
            const std::vector<Alternative> wanted = alternatives(nodes);
            if (std::string misfit = why_no_line(*loop, calls, wanted); !misfit.empty())
                return misfit;
            SmallVector<BasicBlock *, 4> exits;
            loop->getUniqueExitBlocks(exits);
            Stops stops(exits.begin(), exits.end());
            stops.insert(loop->getHeader());
            const EventLoop event = event_loop(*loop);
            const RaiseEntry raise = event.core ? find_entry(*loop, event.core) : find_list_entry(*loop);
            BasicBlock *end = event.core ? ordinary_end(*loop) : nullptr;
            std::vector<BuiltLine> lines = builder.build(*loop, calls, wanted, LineBuilder::Depth::outermost);
            builder.merge(function, lines, stops);
            for (const BuiltLine &built : lines)
                if (built.alternative.merge)
                    merged[built.alternative.node] = built.merged;
            keep_apart_from_locks(function);
            finish(function, std::move(lines), raise, end);
            return {};
        }
        return "its loop is gone";
    }

    // Where a raise goes when its last handler has run.
    static BasicBlock *ordinary_end(const Loop &loop) {
        BranchInst *go_on = continue_branch(loop, event_loop(loop).changed);
        return go_on->getSuccessor(loop.contains(go_on->getSuccessor(0)) ? 1 : 0);
    }

    void finish(Function &function, std::vector<BuiltLine> lines, const RaiseEntry &raise, BasicBlock *end) {
        const std::vector<FrontedLine> begun = fronted(lines);
        // Unreachable blocks stay until all is done: a line's second best is reached only by tests that come to its front.
        for (BuiltLine &built : lines) {
            analyses_.invalidate(function, PreservedAnalyses::none());
            gather_guards(built.line, built.guards, paths_, analyses_.getResult<AAManager>(function));
            counter_.count(built.line.front, built.alternative.node->decision->id, built.alternative.merge);
            if (end)
                copy_exit(built.line, end);
        }
        // A list may be empty: end is null for it.
        const bool may_move = end || llvm::all_of(begun, [&](const FrontedLine &line) {
                                  return raise.top && tests_length_first(raise, line.front);
                              });
        if (raise.top && may_move)
            move_fronts_up(raise, lines.back().line.otherwise, fronted(lines));
        forget_leaves(function);
        EliminateUnreachableBlocks(function);
        tidy(function);
    }

    static std::vector<FrontedLine> fronted(const std::vector<BuiltLine> &lines) {
        std::vector<FrontedLine> all;
        for (const BuiltLine &built : lines)
            all.push_back(built.line);
        return all;
    }

    // LLVM's own clean-up, before its pipeline merges the line's end with others' and so hides what is dead in the line.
    void tidy(Function &function) {
        analyses_.invalidate(function, PreservedAnalyses::none());
        FunctionPassManager passes;
        passes.addPass(EarlyCSEPass(true));
        passes.addPass(InstCombinePass());
        passes.addPass(GVNPass());
        passes.addPass(DSEPass());
        passes.addPass(ADCEPass());
        passes.addPass(SimplifyCFGPass());
        passes.run(function, analyses_);
        remove_unseen_stores(function, analyses_.getResult<AAManager>(function));
        remove_dead_lifetimes(function);
        join_front_tests(function, analyses_.getResult<TargetIRAnalysis>(function));
    }

    FunctionAnalysisManager &analyses_;
    PathTable &paths_;
    GuardCounter &counter_;
    const PristineBodies &pristine_;
    std::vector<model::DecisionOutcome> outcomes_;
    std::set<uint32_t> taken_in_;
    std::map<uint32_t, std::string> left_out_;
};

// Inner loops are numbered after those around them and must be straight before those are copied. Functions whose raises others
// may take in come last, when it is known who does.
std::vector<uint32_t> order_of_work(const std::vector<DispatchSite> &sites, const PathTree &tree) {
    std::set<const Function *> later;
    for (const PathNode &node : tree.nodes)
        if (node.decision->kind() == model::DecisionKind::subsume)
            later.insert(sites[node.site].function);
    std::vector<uint32_t> order;
    for (const bool wanted : {false, true})
        for (const auto &[site, nodes] : llvm::reverse(tree.roots))
            if (later.contains(sites[site].function) == wanted)
                order.push_back(site);
    return order;
}

}  // namespace

std::vector<model::DecisionOutcome> specialise_dispatches(FunctionAnalysisManager &analyses,
                                                          const std::vector<DispatchSite> &sites, const PathTree &tree,
                                                          const PristineBodies &pristine, PathTable &paths,
                                                          GuardCounter &counter) {
    SiteSpecializer specializer(analyses, paths, counter, pristine);
    for (uint32_t site : order_of_work(sites, tree))
        specializer.specialise(sites[site], tree.roots.at(site), tree);
    return specializer.outcomes(tree);
}

}  // namespace thalweg::transform
