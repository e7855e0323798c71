// transform: the table of what is evaluated how; values, branches and what is computed.
#include "transform/specializer/evaluator.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/Analysis/InstructionSimplify.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/MDBuilder.h"

#include "knowledge/function.h"
#include "transform/libc/library_call.h"
#include "transform/profile/expected_work.h"

namespace thalweg::transform::specializer {

using namespace llvm;

// What is not in here is computed from its operands, at once or by the residual program.
const Evaluator::TableEntry Evaluator::table[] = {
    {Instruction::PHI, &Evaluator::skip},  // done on the way here
    {Instruction::Br, &Evaluator::branch},
    {Instruction::Switch, &Evaluator::choose_case},
    {Instruction::Ret, &Evaluator::give_back},
    {Instruction::Unreachable, &Evaluator::end},
    {Instruction::Resume, &Evaluator::resume},
    {Instruction::Select, &Evaluator::select},
    {Instruction::ZExt, &Evaluator::extend},
    {Instruction::SExt, &Evaluator::extend},
    {Instruction::ICmp, &Evaluator::compare},
    {Instruction::GetElementPtr, &Evaluator::offset_pointer},
    {Instruction::Freeze, &Evaluator::freeze},
    {Instruction::Alloca, &Evaluator::allocate},
    {Instruction::Load, &Evaluator::load},
    {Instruction::Store, &Evaluator::store},
    {Instruction::Fence, &Evaluator::synchronise},
    {Instruction::AtomicCmpXchg, &Evaluator::synchronise},
    {Instruction::AtomicRMW, &Evaluator::synchronise},
    {Instruction::VAArg, &Evaluator::synchronise},
    {Instruction::Call, &Evaluator::call},
    {Instruction::Invoke, &Evaluator::call},
};

namespace {

// What stays true of a copy in other surroundings. Scopes of aliasing don't: two unrolled copies would share them.
constexpr unsigned kept_metadata[] = {
    LLVMContext::MD_tbaa,  LLVMContext::MD_tbaa_struct,     LLVMContext::MD_range,         LLVMContext::MD_nonnull,
    LLVMContext::MD_align, LLVMContext::MD_dereferenceable, LLVMContext::MD_noundef,       LLVMContext::MD_fpmath,
    LLVMContext::MD_prof,  LLVMContext::MD_nontemporal,     LLVMContext::MD_unpredictable,
};

// A copy of a call that prints or reads is at the same site: what is made of that needs nothing but the call.
void drop_what_is_no_longer_true(Instruction &copy) {
    SmallVector<unsigned> kept(ArrayRef<unsigned>{kept_metadata});
    const auto *call = dyn_cast<CallBase>(&copy);
    if (const Function *callee = call ? call->getCalledFunction() : nullptr;
        callee && knowledge::uses_buffer(std::string_view(callee->getName())))
        kept.push_back(copy.getContext().getMDKindID(site_of_call));
    copy.dropUnknownNonDebugMetadata(kept);
}

// Computed of one value and constants.
bool is_of_one_value(const Value &value) {
    const auto *operation = dyn_cast<BinaryOperator>(&value);
    return isa<CastInst>(value) || (operation && isa<Constant>(operation->getOperand(1)));
}

// Within one object addresses compare as offsets do. Linux gives user space the lower half of the addresses, but for the first
// 64 KiB; an offset that could come near either end is far outside any object.
bool wraps(const AbstractValue &pointer) {
    constexpr int64_t far_outside = 1 << 15;
    return pointer.offset > INT32_MAX || pointer.offset < -far_outside;
}

}  // namespace

Evaluator::Evaluator(Engine &engine, Entry &entry)
    : engine_(engine), entry_(entry), state_(entry.state), builder_(entry.block),
      layout_(engine.root().getDataLayout()) {}

void Evaluator::run() {
    for (Instruction *at = entry_.spot.start; at; at = at->getNextNode()) {
        builder_.SetCurrentDebugLocation(engine_.locations().of(state_.context, *at));
        const auto *row = find_if(table, [&](const TableEntry &entry) { return entry.opcode == at->getOpcode(); });
        const Row evaluate = row == std::end(table) ? &Evaluator::compute : row->row;
        const Before before{engine_.counts().decided, engine_.counts().guards};
        at_ = at;
        copy_ = nullptr;
        entry_.work[builder_.GetInsertBlock()] += ExpectedWork::of_instruction(*at);
        const bool goes_on = (this->*evaluate)(*at);
        observe(*at, before, goes_on);
        if (!goes_on)
            return;
    }
}

SimplifyQuery Evaluator::query() const { return {layout_, engine_.residual().nowhere()}; }

Place Evaluator::place_of(const Value *value) const {
    return {state_.context->id, state_.context->info->number_of(value)};
}

AbstractValue Evaluator::read(Value *value) const {
    if (auto *constant = dyn_cast<Constant>(value))
        return AbstractValue::known(constant);
    if (isa<Instruction, Argument>(value))
        return state_.value_at(place_of(value));
    return {};
}

Value *Evaluator::residual_of(Value *value) {
    if (!isa<Instruction, Argument>(value))
        return value;
    const Place place = place_of(value);
    const AbstractValue known = state_.value_at(place);
    if (known.is_static())
        return engine_.residual().write(known, value->getType(), builder_);
    Value *&local = local_[{place.context, value}];
    if (!local)
        local = builder_.CreateLoad(value->getType(), engine_.residual().variable(place, value->getType()),
                                    value->getName());
    return local;
}

void Evaluator::define(Instruction &instruction, const AbstractValue &value) {
    state_.set(place_of(&instruction), value);
}

void Evaluator::define_dynamic(Instruction &instruction, Value *residual, const AbstractValue &provenance) {
    if (auto *constant = dyn_cast<Constant>(residual))
        return define(instruction, AbstractValue::known(constant));
    const Place place = place_of(&instruction);
    local_[{place.context, &instruction}] = residual;
    builder_.CreateStore(residual, engine_.residual().variable(place, residual->getType()));
    state_.set(place, provenance.object ? AbstractValue::within(provenance.object) : AbstractValue{});
}

// The instruction is another name for a value.
void Evaluator::take_over(Instruction &instruction, Value *from) {
    const AbstractValue value = read(from);
    if (value.is_static())
        define(instruction, value);
    else
        define_dynamic(instruction, residual_of(from), value);
}

Instruction *Evaluator::emit(Instruction &instruction, bool exposes) {
    Instruction *copy = instruction.clone();
    for (Use &use : copy->operands()) {
        const AbstractValue value = read(use.get());
        if (exposes && value.object)
            state_.memory.expose(*value.object);
        use.set(residual_of(use.get()));
    }
    // "tail" says that no local of the caller is touched; the locals of unfolded callers now are the caller's too.
    if (auto *call = dyn_cast<CallInst>(copy); call && call->isTailCall() && !stays_tail_call(*call))
        call->setTailCallKind(CallInst::TCK_None);
    drop_what_is_no_longer_true(*copy);
    copy->insertInto(builder_.GetInsertBlock(), builder_.GetInsertPoint());
    copy->setDebugLoc(engine_.locations().of(state_.context, instruction));
    copy->setName(instruction.getName());
    copy_ = copy;
    engine_.note_emitted();
    return copy;
}

// Where the program decides between the ways to the value, back through arguments, and what is computed of one value and a constant.
void Evaluator::keep_choice(Value *value) {
    if (state_.generic || isa<Constant>(value))
        return;
    using Source = std::pair<const Context *, Value *>;
    SmallVector<Source> open{{state_.context, value}};
    SmallSetVector<Source, 8> kept;
    bool is_choice = false;
    while (!open.empty()) {
        const auto [context, next] = open.pop_back_val();
        const auto *phi = dyn_cast<PHINode>(next);
        const bool chooses = isa<SelectInst>(next) || (phi && !context->info->loops().isLoopHeader(phi->getParent()));
        const auto *argument = dyn_cast<Argument>(next);
        const bool is_handed_on = argument && context->call && argument->getArgNo() < context->call->arg_size();
        if (!chooses && !is_handed_on && !is_of_one_value(*next))
            continue;
        if (!kept.insert({context, next}))
            continue;
        is_choice |= chooses;
        if (is_handed_on)
            open.emplace_back(context->caller, context->call->getArgOperand(argument->getArgNo()));
        else
            for (Value *operand : cast<Instruction>(next)->operands())
                if (const auto *select = dyn_cast<SelectInst>(next); !select || operand != select->getCondition())
                    open.emplace_back(context, operand);
    }
    if (is_choice)
        for (const auto &[context, one] : kept)
            engine_.keys().keep(one);
}

// The object's instruction has run again: what pointed to the instance before must keep its address.
void Evaluator::rebind(Object &object, Value *address) {
    std::vector<Place> stale;
    for (const auto &[place, value] : std::as_const(state_.values))
        if (value.object == &object)
            stale.push_back(place);
    for (const Place place : stale) {
        const AbstractValue value = state_.value_at(place);
        Type *type = engine_.environment().contexts.by_id(place.context).info->value_of(place.number)->getType();
        if (value.is_pointer())
            builder_.CreateStore(engine_.residual().write(value, type, builder_),
                                 engine_.residual().variable(place, type));
        state_.set(place, {});
        state_.memory.expose(object);
    }
    state_.memory.forget_pointers_to(object);
    state_.memory.renew(object);
    state_.apart.erase(object.id);
    builder_.CreateStore(address, engine_.residual().base_variable(object));
}

BasicBlock *Evaluator::open_block(const char *name) {
    BasicBlock *block = engine_.residual().new_block(name);
    entry_.blocks.push_back(block);
    return block;
}

void Evaluator::go_on(BasicBlock *block, State state, Instruction *start) {
    engine_.arrive(entry_, block, std::move(state), start);
}

// From the original's block `from` to its block `to`: the phis take their values, all at once.
void Evaluator::go_to(BasicBlock *block, State state, BasicBlock *from, BasicBlock *to, bool leaves) {
    if (!state.context->call && engine_.is_end(*to))
        return engine_.residual().end(block, *to);
    std::vector<std::pair<Place, AbstractValue>> taken;
    std::vector<std::pair<Value *, AllocaInst *>> stores;
    builder_.SetInsertPoint(block);
    std::swap(state_, state);
    for (PHINode &phi : to->phis()) {
        Value *incoming = phi.getIncomingValueForBlock(from);
        AbstractValue value = read(incoming);
        const Place place = place_of(&phi);
        if (!value.is_static())
            stores.emplace_back(residual_of(incoming), engine_.residual().variable(place, phi.getType()));
        taken.emplace_back(place, value);
    }
    std::swap(state_, state);
    for (const auto &[value, variable] : stores)
        builder_.CreateStore(value, variable);
    for (const auto &[place, value] : taken)
        state.set(place, value);
    Instruction *start = to->getFirstNonPHI();
    // A landing pad is written on the way to it.
    const bool is_header = state.context->info->loops().isLoopHeader(to);
    if (leaves && !state.generic)
        return engine_.leave(entry_, block, std::move(state), start);
    go_on(block, std::move(state), isa<LandingPadInst>(start) ? start->getNextNode() : start);
    // What the program says of the loop, as that it is not to be unrolled; its place would be the unfolded function's.
    if (MDNode *loop = is_header ? from->getTerminator()->getMetadata(LLVMContext::MD_loop) : nullptr) {
        Instruction &back = *block->getTerminator();
        back.setMetadata(LLVMContext::MD_loop, loop);
        updateLoopMetadataDebugLocations(
            back, [](Metadata *said) -> Metadata * { return isa_and_nonnull<DILocation>(said) ? nullptr : said; });
    }
}

// Something of the program's that is known at run time only.
bool Evaluator::is_variable(Value *value) const {
    return isa<Instruction, Argument>(value) && !read(value).is_static();
}

bool Evaluator::skip(Instruction &) { return true; }

bool Evaluator::compute(Instruction &instruction) {
    SmallVector<Constant *> known;
    for (Value *operand : instruction.operands())
        if (const AbstractValue value = read(operand); value.is_known())
            known.push_back(value.constant);
    const bool pure = !instruction.mayHaveSideEffects() && !instruction.mayReadFromMemory();
    if (pure && known.size() == instruction.getNumOperands())
        if (Constant *result = ConstantFoldInstOperands(&instruction, known, layout_)) {
            define(instruction, AbstractValue::known(result));
            return true;
        }
    if (const AbstractValue pointer = isa<CastInst>(instruction) ? read(instruction.getOperand(0)) : AbstractValue{};
        pointer.is_pointer() && isa<BitCastInst>(instruction)) {
        define(instruction, pointer);
        return true;
    }
    Instruction *copy = emit(instruction, true);
    if (instruction.getType()->isVoidTy())
        return true;
    Value *simple = pure ? simplifyInstruction(copy, query()) : nullptr;
    if (simple && simple != copy)
        copy->eraseFromParent();
    define_dynamic(instruction, simple ? simple : copy);
    return true;
}

bool Evaluator::end(Instruction &instruction) {
    emit(instruction, true);
    return false;
}

bool Evaluator::branch(Instruction &instruction) {
    auto &branch = cast<BranchInst>(instruction);
    BasicBlock *from = branch.getParent();
    if (branch.isUnconditional()) {
        go_to(builder_.GetInsertBlock(), state_, from, branch.getSuccessor(0));
        return false;
    }
    const AbstractValue condition = read(branch.getCondition());
    if (condition.is_known() && isa<ConstantInt>(condition.constant)) {
        ++engine_.count().decided;
        go_to(builder_.GetInsertBlock(), state_, from, branch.getSuccessor(condition.constant->isZeroValue() ? 1 : 0));
        return false;
    }
    BasicBlock *ways[] = {open_block("true"), open_block("false")};
    Instruction *copy = builder_.CreateCondBr(residual_of(branch.getCondition()), ways[0], ways[1]);
    copy->copyMetadata(branch, {LLVMContext::MD_prof, LLVMContext::MD_unpredictable});
    copy_marks(branch, *copy);
    const auto reachable = local_;
    for (unsigned i = 0; i < 2; ++i) {
        State state = state_;
        state.trace = engine_.new_trace();
        // On the way where x == C was true, x is C (flow sensitivity, tempo-sunrpc section 3.4).
        if (auto *equal = dyn_cast<ICmpInst>(branch.getCondition()); equal && equal->isEquality())
            if (i == (equal->getPredicate() == ICmpInst::ICMP_EQ ? 0U : 1U))
                for (unsigned side = 0; side < 2; ++side)
                    if (const AbstractValue value = read(equal->getOperand(1 - side));
                        value.is_known() && isa<ConstantInt>(value.constant) && is_variable(equal->getOperand(side)))
                        state.set(place_of(equal->getOperand(side)), value);
        go_to(ways[i], std::move(state), from, branch.getSuccessor(i), is_leave(branch, i));
        local_ = reachable;
    }
    return false;
}

bool Evaluator::choose_case(Instruction &instruction) {
    auto &original = cast<SwitchInst>(instruction);
    BasicBlock *from = original.getParent();
    if (!state_.generic)
        engine_.keys().steer(state_.context, original.getCondition());
    const AbstractValue condition = read(original.getCondition());
    if (condition.is_known() && isa<ConstantInt>(condition.constant)) {
        ++engine_.count().decided;
        go_to(builder_.GetInsertBlock(), state_, from,
              original.findCaseValue(cast<ConstantInt>(condition.constant))->getCaseSuccessor());
        return false;
    }
    BasicBlock *otherwise = open_block("default");
    SwitchInst *copy = builder_.CreateSwitch(residual_of(original.getCondition()), otherwise, original.getNumCases());
    const auto reachable = local_;
    State state = state_;
    state.trace = engine_.new_trace();
    go_to(otherwise, state, from, original.getDefaultDest());
    for (const auto &one : original.cases()) {
        local_ = reachable;
        BasicBlock *way = open_block("case");
        copy->addCase(one.getCaseValue(), way);
        state = state_;
        state.trace = engine_.new_trace();
        if (is_variable(original.getCondition()))
            state.set(place_of(original.getCondition()), AbstractValue::known(one.getCaseValue()));
        go_to(way, std::move(state), from, one.getCaseSuccessor());
    }
    copy->copyMetadata(original, {LLVMContext::MD_prof, LLVMContext::MD_unpredictable});
    return false;
}

// The frame's locals are no more.
void Evaluator::end_frame(const Context &frame, State &state) const {
    for (const auto &[place, cell] : state_.memory.cells())
        if (const Object &object = engine_.object(place.object); object.is_local() && object.context == &frame)
            state.memory.renew(object);
}

bool Evaluator::give_back(Instruction &instruction) {
    const Context *context = state_.context;
    if (!context->call) {
        emit(instruction, true);
        return false;
    }
    CallBase *call = context->call;
    Value *result = cast<ReturnInst>(instruction).getReturnValue();
    State state = state_;
    state.context = context->caller;
    if (result) {
        const AbstractValue value = read(result);
        const Place place{context->caller->id, context->caller->info->number_of(call)};
        if (!value.is_static())
            builder_.CreateStore(residual_of(result), engine_.residual().variable(place, call->getType()));
        state.set(place, value);
        if (!state_.generic)
            engine_.keys().note_return(context, result);
    }
    end_frame(*context, state);
    if (auto *invoke = dyn_cast<InvokeInst>(call)) {
        local_.clear();
        go_to(builder_.GetInsertBlock(), std::move(state), invoke->getParent(), invoke->getNormalDest());
    } else {
        go_on(builder_.GetInsertBlock(), std::move(state), call->getNextNode());
    }
    return false;
}

bool Evaluator::select(Instruction &instruction) {
    auto &choice = cast<SelectInst>(instruction);
    const AbstractValue condition = read(choice.getCondition());
    if (condition.is_known() && isa<ConstantInt>(condition.constant)) {
        take_over(instruction, condition.constant->isZeroValue() ? choice.getFalseValue() : choice.getTrueValue());
        return true;
    }
    const AbstractValue arms[] = {read(choice.getTrueValue()), read(choice.getFalseValue())};
    const bool is_static = arms[0].is_static() && arms[1].is_static() && arms[0] != arms[1];
    return is_static && splits(choice, *choice.getCondition(), arms) ? false : compute(instruction);
}

// What is made of a truth value is one of two numbers.
bool Evaluator::extend(Instruction &instruction) {
    Value *truth = instruction.getOperand(0);
    if (!truth->getType()->isIntegerTy(1) || read(truth).is_known())
        return compute(instruction);
    Type *type = instruction.getType();
    const AbstractValue arms[] = {
        AbstractValue::known(isa<SExtInst>(instruction) ? Constant::getAllOnesValue(type) : ConstantInt::get(type, 1)),
        AbstractValue::known(Constant::getNullValue(type))};
    return splits(instruction, *truth, arms) ? false : compute(instruction);
}

// "The trick": what steers the program stays static, on two ways. The program itself need not have branched on the condition.
bool Evaluator::splits(Instruction &choice, Value &condition, ArrayRef<AbstractValue> arms) {
    const Place place = place_of(&choice);
    if (state_.generic || condition.getType()->isVectorTy())
        return false;
    if (!engine_.keys().contains(place)) {
        engine_.note_lost(place);
        return false;
    }
    BasicBlock *ways[] = {open_block("true"), open_block("false")};
    Value *decision = residual_of(&condition);
    if (!isGuaranteedNotToBeUndefOrPoison(decision))
        decision = builder_.CreateFreeze(decision);
    Instruction *branch = builder_.CreateCondBr(decision, ways[0], ways[1]);
    if (isa<SelectInst>(choice))
        branch->copyMetadata(choice, {LLVMContext::MD_prof, LLVMContext::MD_unpredictable});
    for (unsigned i = 0; i < 2; ++i) {
        State state = state_;
        state.trace = engine_.new_trace();
        state.set(place, arms[i]);
        go_on(ways[i], std::move(state), choice.getNextNode());
    }
    return true;
}

bool Evaluator::compare(Instruction &instruction) {
    auto &comparison = cast<ICmpInst>(instruction);
    const AbstractValue left = read(comparison.getOperand(0));
    const AbstractValue right = read(comparison.getOperand(1));
    auto tell = [&](bool result) {
        define(instruction, AbstractValue::known(ConstantInt::getBool(instruction.getContext(), result)));
        return true;
    };
    if (left.is_pointer() && right.is_pointer() && left.object == right.object && !wraps(left) && !wraps(right)) {
        const auto bits = [](int64_t offset) { return APInt(64, static_cast<uint64_t>(offset), true); };
        return tell(ICmpInst::compare(bits(left.offset), bits(right.offset),
                                      comparison.isUnsigned() ? ICmpInst::getSignedPredicate(comparison.getPredicate())
                                                              : comparison.getPredicate()));
    }
    const AbstractValue &pointer = left.is_pointer() ? left : right;
    const AbstractValue &null = left.is_pointer() ? right : left;
    if (comparison.isEquality() && pointer.is_pointer() && pointer.object->is_local() && null.is_known() &&
        null.constant->isNullValue())
        return tell(comparison.getPredicate() == ICmpInst::ICMP_NE);
    SmallVector<Constant *> known;
    for (const AbstractValue &value : {left, right})
        if (value.is_known())
            known.push_back(value.constant);
    if (known.size() == 2)
        return compute(instruction);
    Instruction *copy = emit(instruction, false);
    Value *simple = simplifyInstruction(copy, query());
    if (simple && simple != copy)
        copy->eraseFromParent();
    define_dynamic(instruction, simple ? simple : copy);
    return true;
}

bool Evaluator::freeze(Instruction &instruction) {
    const AbstractValue value = read(instruction.getOperand(0));
    if (value.is_pointer() || (value.is_known() && isGuaranteedNotToBeUndefOrPoison(value.constant))) {
        define(instruction, value);
        return true;
    }
    return compute(instruction);
}

}  // namespace thalweg::transform::specializer
