// transform: the places of generic code, whose values steer branches, switches and calls through pointers.
#include "transform/site/fact_place.h"

#include <map>
#include <set>

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"

#include "transform/site/crossing_mark.h"
#include "transform/site/dispatch_site.h"
#include "transform/site/fact_call.h"

namespace thalweg::transform {

using namespace llvm;
using model::FactKind;
using model::Steers;

namespace {

// A function that is smaller and only branches is watched where it tests flags in memory; its arguments are data more often than not,
// and are followed to those who hand them over without being watched themselves.
constexpr uint32_t large_function_instructions = 64;
// A backward walk from one steered instruction that gets larger than this leads to no value that a person would call a fact.
constexpr size_t walk_at_most = 64;
// More of one function are not watched: an interpreter's loop has some hundred branches, and its program counter steers them all.
constexpr size_t places_at_most = 128;

using Watched = std::map<Value *, Steers>;

bool can_be_value(const Type &type) {
    return (type.isPointerTy() && type.getPointerAddressSpace() == 0) ||
           (type.isIntegerTy() && type.getIntegerBitWidth() <= 64);
}

// A number that a function without a body gives, as atoi does. A pointer is another one in each run.
bool is_from_outside(const Value &value) {
    const auto *call = dyn_cast<CallInst>(&value);
    const Function *callee = call ? call->getCalledFunction() : nullptr;
    return callee && callee->isDeclaration() && !callee->isIntrinsic() && !call->isMustTailCall() &&
           call->getType()->isIntegerTy();
}

bool can_be_watched(const Value &value) {
    if (!can_be_value(*value.getType()))
        return false;
    const auto *load = dyn_cast<LoadInst>(&value);
    return isa<Argument>(value) || (load && load->isSimple()) || is_from_outside(value);
}

bool has_plain_arguments(const Function &function) {
    return none_of(function.args(), [](const Argument &argument) {
        return argument.hasInAllocaAttr() || argument.hasPreallocatedAttr() || argument.hasSwiftErrorAttr() ||
               argument.hasAttribute(Attribute::Nest);
    });
}

// Whether a condition compares a number in memory with a constant: a direction, a mode, a status.
bool tests_flag(const Value &condition) {
    const auto *comparison = dyn_cast<ICmpInst>(&condition);
    if (!comparison || !comparison->isEquality() || !isa<Constant>(comparison->getOperand(1)))
        return false;
    const Value *tested = comparison->getOperand(0);
    while (isa<CastInst>(tested) ||
           (isa<BinaryOperator>(tested) && isa<Constant>(cast<Instruction>(tested)->getOperand(1))))
        tested = cast<Instruction>(tested)->getOperand(0);
    const auto *load = dyn_cast<LoadInst>(tested);
    return load && load->getType()->isIntegerTy() &&
           !isa<AllocaInst, GlobalVariable>(getUnderlyingObject(load->getPointerOperand()));
}

// What decides between two ways, or two values; null: the instruction decides nothing.
Value *condition_of(Instruction &instruction) {
    if (auto *branch = dyn_cast<BranchInst>(&instruction); branch && branch->isConditional())
        return branch->getCondition();
    if (auto *choice = dyn_cast<SelectInst>(&instruction); choice && !choice->getCondition()->getType()->isVectorTy())
        return choice->getCondition();
    return nullptr;
}

// What a value is made of: loads, arguments and results, through casts, arithmetic, comparisons, phis and selects, and through the
// addresses of the loads.
class Walk {
  public:
    explicit Walk(Value &from) { open_.push_back(&from); }

    const SmallVector<PHINode *, 4> &phis() const { return phis_; }

    std::vector<Value *> run() {
        while (!open_.empty() && seen_.size() < walk_at_most) {
            Value *value = open_.pop_back_val();
            if (isa<Constant>(value) || !seen_.insert(value).second)
                continue;
            if (can_be_watched(*value))
                found_.push_back(value);
            if (auto *load = dyn_cast<LoadInst>(value))
                open_.push_back(load->getPointerOperand());
            else if (auto *address = dyn_cast<GetElementPtrInst>(value))
                open_.push_back(address->getPointerOperand());
            else if (isa<CastInst, BinaryOperator, CmpInst, PHINode, SelectInst, FreezeInst>(value))
                append_range(open_, cast<Instruction>(value)->operands());
            if (auto *phi = dyn_cast<PHINode>(value))
                phis_.push_back(phi);
        }
        return std::move(found_);
    }

  private:
    SmallVector<Value *, 16> open_;
    SmallPtrSet<Value *, 32> seen_;
    std::vector<Value *> found_;
    SmallVector<PHINode *, 4> phis_;
};

class Finder {
  public:
    explicit Finder(const BodyList &bodies) {
        for (Function *function : bodies.functions)
            if (can_be_doubled(*function))
                watched_[function];
    }

    void run() {
        for (auto &[function, watched] : watched_)
            seed(*function, false);
        for (auto &[function, watched] : watched_)
            if (watched.empty() && function->getInstructionCount() < large_function_instructions)
                small_.insert(function);
        for (auto &[function, watched] : watched_)
            seed(*function, true);
        spread();
    }

    const Watched &of(Function *function) { return watched_[function]; }

    // Functions with places, and those that lead to them: whoever is entered often on the outside is worth most.
    std::set<const Function *> counted() const {
        SmallVector<const Function *, 32> open;
        for (const auto &[function, watched] : watched_)
            if (!watched.empty())
                open.push_back(function);
        std::set<const Function *> found(open.begin(), open.end());
        while (!open.empty())
            for (const User *user : open.pop_back_val()->users())
                if (const auto *call = dyn_cast<CallBase>(user))
                    if (const Function *caller = call->getFunction();
                        watched_.find(const_cast<Function *>(caller)) != watched_.end() && found.insert(caller).second)
                        open.push_back(caller);
        return found;
    }

  private:
    void seed(Function &function, bool branches) {
        for (Instruction &instruction : instructions(function)) {
            auto *choice = dyn_cast<SwitchInst>(&instruction);
            auto *call = dyn_cast<CallBase>(&instruction);
            if (Value *condition = condition_of(instruction); branches && condition)
                follow_condition(function, *condition, instruction);
            if (!branches && choice)
                follow(function, *choice->getCondition(), Steers::choice, instruction);
            if (!branches && call && call->isIndirectCall())
                follow_callee(function, *call);
        }
        if (!branches)
            spread();
    }

    void follow_condition(Function &function, Value &condition, const Instruction &at) {
        if (!small_.contains(&function) || tests_flag(condition))
            return follow(function, condition, Steers::branch, at);
        for (Value *found : Walk(condition).run())
            if (auto *argument = dyn_cast<Argument>(found))
                hand_on(*argument, Steers::branch);
    }

    void hand_on(Argument &argument, Steers steers) {
        if (handed_on_.insert({&argument, steers}).second)
            arguments_.push_back({&argument, steers});
    }

    // What runs through a list calls another function each time.
    void follow_callee(Function &function, CallBase &call) {
        Walk walk(*call.getCalledOperand());
        walk.run();
        if (!walk.phis().empty() && runs_through_list(call, walk.phis()))
            return;
        follow(function, *call.getCalledOperand(), Steers::call, call);
    }

    static bool runs_through_list(CallBase &call, ArrayRef<PHINode *> phis) {
        DominatorTree dominators(*call.getFunction());
        LoopInfo loops(dominators);
        return any_of(phis, [&](const PHINode *phi) {
            const Loop *loop = loops.getLoopFor(phi->getParent());
            return loop && loop->getHeader() == phi->getParent() && loop->contains(&call);
        });
    }

    // `at`: what is steered.
    void follow(Function &function, Value &value, Steers steers, const Instruction &at) {
        const auto here = watched_.find(&function);
        if (here == watched_.end())
            return;
        for (Value *found : Walk(value).run()) {
            if (here->second.size() >= places_at_most)
                return;
            auto *argument = dyn_cast<Argument>(found);
            if (argument)
                hand_on(*argument, steers);
            const auto *result = dyn_cast<CallInst>(found);
            if ((argument && small_.contains(&function)) || (result && !is_set_before_loop(*result, at)))
                continue;
            const auto [known, added] = here->second.emplace(found, steers);
            if (!added && known->second >= steers)
                continue;
            known->second = steers;
        }
    }

    // What is called in each round of the loop, or in none, is data.
    bool is_set_before_loop(const CallInst &result, const Instruction &at) {
        Function &function = *const_cast<Function *>(at.getFunction());
        auto [own, is_new] = loops_.try_emplace(&function);
        if (is_new)
            own->second.analyze(DominatorTree(function));
        const Loop *loop = own->second.getLoopFor(at.getParent());
        return loop && !loop->contains(&result);
    }

    // An argument that steers is what its callers hand over. Of branches only where the caller has other places.
    void spread() {
        while (!arguments_.empty()) {
            const auto [argument, steers] = arguments_.pop_back_val();
            Function *callee = argument->getParent();
            for (User *user : callee->users()) {
                auto *call = dyn_cast<CallBase>(user);
                if (!call || call->getCalledFunction() != callee || call->arg_size() <= argument->getArgNo())
                    continue;
                Function *caller = call->getFunction();
                const auto here = watched_.find(caller);
                if (here != watched_.end() && (steers != Steers::branch || !here->second.empty()))
                    follow(*caller, *call->getArgOperand(argument->getArgNo()), steers, *call);
            }
        }
    }

    MapVector<Function *, Watched> watched_;
    std::map<const Function *, LoopInfo> loops_;  // looked up only, as the next
    std::set<const Function *> small_;
    std::set<std::pair<const Argument *, Steers>> handed_on_;  // looked up only
    SmallVector<std::pair<Argument *, Steers>, 16> arguments_;
};

uint32_t width_of(const Value &value) {
    const Type &type = *value.getType();
    return type.isPointerTy() ? 8 : (type.getIntegerBitWidth() + 7) / 8;
}

model::FactPlace describe(uint32_t number, const Value &value, FactKind kind, uint32_t ordinal, Steers steers) {
    model::FactPlace place{number, kind, ordinal, width_of(value), steers, {}, {}};
    if (const auto *instruction = dyn_cast<Instruction>(&value))
        place.place = place_of(*instruction);
    return place;
}

}  // namespace

bool can_be_doubled(const Function &function) {
    if (function.isVarArg() || function.hasFnAttribute(Attribute::Naked) || function.isPresplitCoroutine() ||
        function.hasAvailableExternallyLinkage() || !has_plain_arguments(function) ||
        (is_runtime_function(function.getName()) && !is_crossing(function)))
        return false;
    for (const BasicBlock &block : function)
        if (block.hasAddressTaken() || isa<IndirectBrInst, CallBrInst>(block.getTerminator()))
            return false;
    return none_of(instructions(function), [](const Instruction &instruction) {
        const auto *call = dyn_cast<CallBase>(&instruction);
        return call && (call->cannotDuplicate() || call->isConvergent() || call->hasFnAttr(Attribute::ReturnsTwice));
    });
}

FactPlaces find_fact_places(const BodyList &bodies) {
    Finder finder(bodies);
    finder.run();
    const std::set<const Function *> counted = finder.counted();
    FactPlaces found_places;
    std::vector<WatchedPlace> &places = found_places.places;
    for (uint32_t number = 0; number < bodies.functions.size(); ++number) {
        Function &function = *bodies.functions[number];
        if (!counted.contains(&function))
            continue;
        found_places.counted.push_back(number);
        const Watched &watched = finder.of(&function);
        for (Argument &argument : function.args())
            if (const auto found = watched.find(&argument); found != watched.end())
                places.push_back(
                    {describe(number, argument, FactKind::argument, argument.getArgNo(), found->second), nullptr});
        const auto add = [&](Instruction &source, FactKind kind, uint32_t ordinal) {
            if (const auto found = watched.find(&source); found != watched.end())
                places.push_back({describe(number, source, kind, ordinal, found->second), &source});
        };
        uint32_t ordinal = 0;
        for (Instruction &instruction : instructions(function))
            if (isa<LoadInst>(instruction))
                add(instruction, FactKind::load, ordinal++);
        ordinal = 0;
        for (CallBase *call : calls_in_order(function))
            add(*call, FactKind::result, ordinal++);
    }
    return found_places;
}

}  // namespace thalweg::transform
