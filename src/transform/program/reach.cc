// transform: decisions whose code nothing in the program comes to.
#include "transform/program/reach.h"

#include <map>

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

namespace thalweg::transform {

using namespace llvm;

namespace {

// What the linker keeps, by the rules of LLVM's GlobalDCE.
class Reached {
  public:
    explicit Reached(const Module &module) {
        for (const GlobalValue &value : module.global_values())
            if (!value.isDeclaration() && !value.isDiscardableIfUnused())
                reached_.insert(&value);
        for (size_t i = 0; i < reached_.size(); ++i) {
            const auto *function = dyn_cast<Function>(reached_[i]);
            if (function)
                for (const Instruction &one : instructions(*function))
                    add_operands(one);
            add_operands(*reached_[i]);
        }
    }

    bool contains(const GlobalValue *value) const { return reached_.contains(value); }

  private:
    // Constants lead on to what they are made of.
    void add_operands(const User &user) {
        SmallVector<const Value *, 8> open(user.operand_values());
        while (!open.empty()) {
            const Value *value = open.pop_back_val();
            if (const auto *global = dyn_cast<GlobalValue>(value))
                reached_.insert(global);
            else if (const auto *constant = dyn_cast<Constant>(value); constant && seen_.insert(constant).second)
                open.append(constant->value_op_begin(), constant->value_op_end());
        }
    }

    SmallSetVector<const GlobalValue *, 32> reached_;
    SmallPtrSet<const Constant *, 32> seen_;
};

}  // namespace

void take_back_what_is_dead(const Module &module, const model::Plan &plan,
                            std::vector<model::DecisionOutcome> &outcomes) {
    if (none_of(outcomes, [](const model::DecisionOutcome &one) { return one.applied; }))
        return;
    const Reached reached(module);
    std::map<uint32_t, const model::Decision *> decisions;
    for (const model::Decision &decision : plan.decisions)
        decisions[decision.id] = &decision;
    for (model::DecisionOutcome &outcome : outcomes) {
        // A super-handler takes a dispatch in from wherever it is.
        const model::Decision *decision = decisions.at(outcome.decision);
        while (decision->kind() == model::DecisionKind::subsume && decisions.contains(decision->parent))
            decision = decisions.at(decision->parent);
        const Function *function = module.getFunction(decision->site.function);
        if (!outcome.applied || is_of_system_calls(decision->kind()) || is_of_library_function(decision->kind()) ||
            (function && reached.contains(function)))
            continue;
        outcome.applied = false;
        outcome.growth_instructions = 0;
        outcome.saved_instructions = 0;
        outcome.reason = fmt::format("nothing in the program comes to {} any more: what calls it has taken it in",
                                     decision->site.function);
    }
}

}  // namespace thalweg::transform
