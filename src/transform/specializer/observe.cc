// transform: notes, for people, of what an instruction became, and why something is known at run time only.
#include "llvm/IR/IntrinsicInst.h"

#include "transform/specializer/evaluator.h"

namespace thalweg::transform::specializer {

using namespace llvm;

namespace {

// Of what was forgotten before: what is further away is told of less exactly, as of something that no fact speaks of.
constexpr unsigned longest_look_back = 256;

// Nothing that a reader of the source would call a computation.
bool is_no_work(const Instruction &at) {
    if (const auto *branch = dyn_cast<BranchInst>(&at))
        return branch->isUnconditional();
    if (const auto *alloca = dyn_cast<AllocaInst>(&at))
        return alloca->isStaticAlloca();
    return isa<PHINode, UnreachableInst, DbgInfoIntrinsic>(at) || at.isLifetimeStartOrEnd();
}

// A value whose operands are all known and that yet is not.
bool is_first_unknown(const Instruction &at) {
    return !at.getType()->isVoidTy() && !isa<LoadInst, CallBase, PHINode, AllocaInst>(at) && !at.mayReadOrWriteMemory();
}

}  // namespace

bool Evaluator::is_left(const Instruction &at, Before before, bool goes_on) const {
    if (isa<BranchInst, SwitchInst>(at))
        return engine_.counts().decided == before.decided;
    if (isa<ReturnInst>(at))
        return !state_.context->call;
    if (isa<SelectInst>(at) && !goes_on)  // it has become two ways
        return true;
    return copy_ != nullptr;
}

void Evaluator::observe(const Instruction &at, Before before, bool goes_on) {
    if (state_.generic || is_no_work(at))
        return;
    BindingTimes &notes = engine_.notes();
    for (uint32_t i = before.guards; i < engine_.counts().guards; ++i)
        notes.note(entry_.number, &at, Done::tested);
    const bool left = is_left(at, before, goes_on);
    notes.note(entry_.number, &at, left ? Done::residual : Done::evaluated);
    if (!left || !is_first_unknown(at) || !state_.value_at(place_of(&at)).is_dynamic())
        return;
    if (all_of(at.operands(), [&](Value *operand) { return read(operand).is_static(); }))
        tell({.why = isa<ICmpInst>(at) ? Why::compared_addresses : Why::number_of_address});
}

void Evaluator::tell(const Reason &reason) {
    if (state_.generic)
        return;
    Reason here = reason;
    here.at = at_;
    engine_.notes().note(entry_.number, here);
}

// Why a call stays.
void Evaluator::tell_call(const CallBase &call, Function *callee) {
    if (state_.generic || (callee && callee->isIntrinsic()))
        return;
    std::string obstacle;
    if (!callee)
        obstacle = read(call.getCalledOperand()).is_known() ? "what is called takes other arguments, or is no function"
                                                            : "what is called is known at run time only";
    else if (callee->isDeclaration())
        obstacle = "it has no body in this program";
    else
        obstacle = obstacle_to_unfolding(call, *callee);
    if (obstacle.empty())
        obstacle = "nothing that it is given is known";
    tell({.why = Why::call_stays, .what = callee, .obstacle = std::move(obstacle)});
}

void Evaluator::tell_unknown_load(const LoadInst &load, const AbstractValue &place) {
    Reason reason{.why = place.is_pointer() ? Why::unknown_content
                         : place.object     ? Why::unknown_place
                                            : Why::unknown_address};
    if (place.object)
        reason.cell = {place.object->id, place.offset};
    if (place.is_pointer()) {
        reason.width = layout_.getTypeStoreSize(load.getType());
        unsigned steps = longest_look_back;
        for (const Forgotten *one = state_.forgotten; one && steps > 0 && !reason.what; one = one->before, --steps)
            if (one->cell == reason.cell)
                reason.what = one->by;
    }
    tell(reason);
}

void Evaluator::forget(const Object &object, const MDNode *tag) {
    const auto spares = [&](const MDNode *type) { return engine_.types().differ(type, tag); };
    const auto &cells = state_.memory.cells();
    for (auto cell = cells.lower_bound({object.id, INT64_MIN});
         !state_.generic && cell != cells.end() && cell->first.object == object.id; ++cell)
        if (!spares(cell->second.type))
            state_.forgotten = engine_.notes().note_forgotten(cell->first, *at_, state_.forgotten);
    state_.memory.forget(object, spares);
}

void Evaluator::overwrite(const Object &object, int64_t offset, uint64_t size) {
    if (!state_.generic)
        state_.forgotten = engine_.notes().note_forgotten({object.id, offset}, *at_, state_.forgotten);
    state_.memory.overwrite(object, offset, size);
}

}  // namespace thalweg::transform::specializer
