// transform: a plan's decisions found again in this module.
#include "transform/event/path_tree.h"

#include <algorithm>
#include <optional>

#include "llvm/Analysis/Loads.h"
#include "llvm/IR/Constants.h"

#include "abi/raw_format.h"
#include "transform/site/recorded_body.h"

namespace thalweg::transform {

using namespace llvm;

namespace {

class Resolver {
  public:
    Resolver(const std::vector<RecordedSite> &sites, Module &module) : module_(module) {
        for (const RecordedSite &recorded : sites)
            sites_[{recorded.site.key.function, recorded.site.key.ordinal}] = &recorded.site;
    }

    void add(const model::Decision &decision) {
        PathNode node;
        node.decision = &decision;
        if (const std::string misfit = fill(node, decision); !misfit.empty()) {
            refuse(decision, misfit);
            return;
        }
        const auto *inside = std::get_if<model::Subsume>(&decision.work);
        if (inside == nullptr) {
            tree_.nodes.push_back(std::move(node));
            by_id_[decision.id] = &tree_.nodes.back();
            tree_.roots[tree_.nodes.back().site].push_back(&tree_.nodes.back());
            return;
        }
        const auto parent = by_id_.find(decision.parent);
        if (parent == by_id_.end() || inside->position >= parent->second->targets.size()) {
            refuse(decision,
                   fmt::format("the super-handler of decision {}, which it belongs to, is not made", decision.parent));
            return;
        }
        tree_.nodes.push_back(std::move(node));
        by_id_[decision.id] = &tree_.nodes.back();
        parent->second->children[inside->position].push_back(&tree_.nodes.back());
    }

    void refuse(const model::Decision &decision, const std::string &reason) {
        tree_.refused.push_back({decision.id, false, reason, 0});
    }

    PathTree take() { return std::move(tree_); }

  private:
    // Empty when the decision fits, else why not.
    std::string fill(PathNode &node, const model::Decision &decision) {
        if (decision.targets().empty() || decision.site.function.empty())
            return "the plan names no targets or no place for it" +
                   (decision.reason.empty() ? std::string() : ": " + decision.reason);
        const auto site = sites_.find({decision.site.function, decision.site.ordinal});
        if (site == sites_.end())
            return fmt::format("no dispatch loop number {} in a function {}", decision.site.ordinal,
                               decision.site.function);
        const DispatchSite &found = *site->second;
        if (found.key.body_hash != decision.site.body_hash)
            return stale(decision.site.function);
        const bool is_raise = found.key.kind == model::SiteKind::event;
        if (is_raise && found.call_count != 1)
            return fmt::format("its loop has {} calls through pointers, a raise has one", found.call_count);
        if (decision.targets().size() > raw::targets_per_sequence)
            return fmt::format("{} targets, 1 to {} are supported", decision.targets().size(),
                               raw::targets_per_sequence);
        node.site = found.number;
        for (const model::PlannedTarget &target : decision.targets()) {
            if (target.ordinal >= found.call_count)
                return fmt::format("its loop has {} calls through pointers, the plan names number {}", found.call_count,
                                   target.ordinal);
            node.calls.push_back(target.ordinal);
            if (const std::string misfit = add_target(node, target, is_raise); !misfit.empty())
                return misfit;
        }
        if (llvm::none_of(node.targets, [](const PathTarget &target) { return target.function; }))
            return fmt::format("no function {} in this program", decision.targets().front().function);
        return {};
    }

    // At a raise the path word answers for the contexts too, and has to be told all of them. In other lists each context
    // that is known is tested, and one that can't be told stays whatever it is, as does a function of a library.
    std::string add_target(PathNode &node, const model::PlannedTarget &planned, bool answered_for) {
        PathTarget target;
        target.function = module_.getFunction(planned.function);
        if (!target.function && (answered_for || module_.getNamedValue(planned.function)))
            return fmt::format("no function {} in this program", planned.function);
        if (!target.function) {
            node.foreign.insert(planned.function);
            node.targets.push_back(target);
            return {};
        }
        if (target.function->isIntrinsic())
            return fmt::format("{} is the compiler's own and has no address", planned.function);
        if (!planned.context.empty()) {
            GlobalValue *object = module_.getNamedValue(planned.context);
            const std::string misfit = context_misfit(object, planned.context);
            if (answered_for && !misfit.empty())
                return misfit;
            if (misfit.empty())
                target.context = at_offset(object, planned.context_offset);
            if (!answered_for && target.context && !stands_for_its_equal(*target.context))
                target.context = nullptr;
        }
        node.targets.push_back(target);
        return {};
    }

    static std::string context_misfit(const GlobalValue *object, const std::string &name) {
        if (!object)
            return fmt::format("no variable {} in this program", name);
        if (object->isThreadLocal() || object->getName().starts_with("llvm."))
            return fmt::format("{} has no address of its own", name);
        return {};
    }

    // Whether a pointer that was found equal may be replaced by this one. Not by the end of an object: it may have
    // belonged to the object behind it. The same rule as LLVM's own, canReplacePointersIfEqual (llvm/Analysis/Loads.h).
    bool stands_for_its_equal(const Constant &context) const {
        return isa<Function>(context) ||
               isDereferenceablePointer(&context, Type::getInt8Ty(module_.getContext()), module_.getDataLayout());
    }

    static Constant *at_offset(GlobalValue *object, uint64_t offset) {
        if (offset == 0)
            return object;
        LLVMContext &context = object->getContext();
        return ConstantExpr::getGetElementPtr(Type::getInt8Ty(context), object,
                                              ConstantInt::get(Type::getInt64Ty(context), offset));
    }

    Module &module_;
    std::map<std::pair<std::string, uint32_t>, const DispatchSite *> sites_;
    std::map<uint32_t, PathNode *> by_id_;
    PathTree tree_;
};

}  // namespace

PathTree resolve(const model::Plan &plan, const std::vector<RecordedSite> &sites, Module &module) {
    Resolver resolver(sites, module);
    for (const model::Decision &decision : plan.decisions)
        if (is_of_dispatch(decision.kind()))
            resolver.add(decision);
    PathTree tree = resolver.take();
    const auto heavier = [](const PathNode *a, const PathNode *b) {
        return std::pair(b->decision->weight, a->decision->id) < std::pair(a->decision->weight, b->decision->id);
    };
    for (auto &[site, nodes] : tree.roots)
        std::sort(nodes.begin(), nodes.end(), heavier);
    for (PathNode &node : tree.nodes)
        for (auto &[position, nodes] : node.children)
            std::sort(nodes.begin(), nodes.end(), heavier);
    return tree;
}

}  // namespace thalweg::transform
