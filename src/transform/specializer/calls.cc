// transform: calls: unfolded where their function's body is at hand and something is known, else left as they are.
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/Analysis/InstructionSimplify.h"
#include "llvm/IR/IntrinsicInst.h"

#include "transform/specializer/evaluator.h"
#include "transform/specializer/out_of_line.h"

namespace thalweg::transform::specializer {

using namespace llvm;

namespace {

// Calls inside calls. Layered code has a dozen layers (Sun RPC eight); generated recursive descent has more.
constexpr unsigned max_depth = 40;
// A function inside itself: messages inside messages. Beyond that, the residual program calls the original.
constexpr unsigned max_recursion = 6;

// C programs call through pointers of another type than the function's (Sun RPC's xdrproc_t ends in "...", and passes more than
// most of its functions take); what the function takes and gives back must be its own.
bool fits(const CallBase &call, const Function &function) {
    if (call.getFunctionType() == function.getFunctionType())
        return true;
    const bool enough = call.arg_size() == function.arg_size() ||
                        (call.getFunctionType()->isVarArg() && call.arg_size() > function.arg_size());
    if (function.isVarArg() || !enough || call.getType() != function.getReturnType() ||
        call.getCallingConv() != function.getCallingConv())
        return false;
    return all_of(function.args(), [&](const Argument &argument) {
        return call.getArgOperand(argument.getArgNo())->getType() == argument.getType();
    });
}

// Whether call and function agree on which structures are passed by value: a mere pointer is in another place.
bool pass_alike(const CallBase &call, const Function &function) {
    return all_of(function.args(), [&](const Argument &argument) {
        return call.isByValArgument(argument.getArgNo()) == argument.hasByValAttr();
    });
}

bool was_never_entered(const Function &function) {
    const auto entries = function.getEntryCount();
    return entries && entries->getCount() == 0;
}

}  // namespace

Function *Evaluator::callee_of(CallBase &call) {
    const AbstractValue called = read(call.getCalledOperand());
    if (!isa<Constant>(call.getCalledOperand()) && !state_.generic)
        engine_.keys().steer(state_.context, call.getCalledOperand());
    if (!called.is_known())
        return nullptr;
    auto *function = dyn_cast<Function>(called.constant->stripPointerCasts());
    return function && fits(call, *function) ? function : nullptr;
}

bool Evaluator::intrinsic(CallBase &call, bool &goes_on) {
    goes_on = true;
    switch (call.getIntrinsicID()) {
    case Intrinsic::assume:
    case Intrinsic::experimental_noalias_scope_decl:
    case Intrinsic::dbg_value:
    case Intrinsic::dbg_declare:
    case Intrinsic::dbg_label:
    case Intrinsic::dbg_assign:
    case Intrinsic::invariant_start:
    case Intrinsic::invariant_end:
        return true;
    case Intrinsic::lifetime_start:
    case Intrinsic::lifetime_end:
        goes_on = mark_lifetime(call);
        return true;
    case Intrinsic::memcpy:
    case Intrinsic::memcpy_inline:
    case Intrinsic::memmove:
        goes_on = transfer(call);
        return true;
    case Intrinsic::memset:
    case Intrinsic::memset_inline:
        goes_on = fill_memory(call);
        return true;
    default:
        return false;
    }
}

bool Evaluator::fold_call(CallBase &call, Function *callee) {
    if (!callee || !canConstantFoldCallTo(&call, callee))
        return false;
    SmallVector<Constant *> arguments;
    for (Value *argument : call.args()) {
        const AbstractValue value = read(argument);
        if (!value.is_known())
            return false;
        arguments.push_back(value.constant);
    }
    Constant *result = ConstantFoldCall(&call, callee, arguments, engine_.environment().libraries);
    if (!result)
        return false;
    define(call, AbstractValue::known(result));
    return true;
}

// Why a call of a function whose body is at hand stays a call; empty: it need not.
std::string Evaluator::obstacle_to_unfolding(const CallBase &call, Function &callee) const {
    if (callee.isInterposable())
        return "another library may put its own function in its place";
    if (call.getAttributes().hasFnAttr(Attribute::NoInline))
        return "its author forbids to inline it here";
    if (!pass_alike(call, callee))
        return "its caller passes its structures in another way";
    const FunctionInfo &info = engine_.environment().contexts.info(callee);
    for (const std::string &obstacle : {info.obstacle(), info.unfold_obstacle()})
        if (!obstacle.empty())
            return obstacle;
    if (is_kept_out_of_line(callee) || is_inside_of_what_is_kept_out_of_line(*state_.context))
        if (!info.out_of_line_obstacle().empty())
            return info.out_of_line_obstacle();
    const Function &residual = engine_.residual().function();
    if (callee.hasPersonalityFn() && residual.hasPersonalityFn() &&
        residual.getPersonalityFn() != callee.getPersonalityFn())
        return "it handles exceptions as another language does";
    if (state_.context->depth >= max_depth)
        return fmt::format("it is called by more than {} layers", max_depth);
    if (Contexts::recursion(state_.context, callee) >= max_recursion)
        return fmt::format("it is inside itself more than {} times", max_recursion);
    if (!engine_.environment().compatible(engine_.root(), callee))
        return "it is for a processor with other features";
    return {};
}

// What the call is unfolded as; null: it stays a call.
Function *Evaluator::body_of(CallBase &call, Function &callee) {
    if (state_.generic || callee.isDeclaration())
        return nullptr;
    const Environment &environment = engine_.environment();
    Function *body = &callee;
    if (environment.body)
        body = environment.body(call, callee, *state_.context);
    else if (isa<Constant>(call.getCalledOperand()) && !engine_.facts().speak_of(callee) &&
             none_of(call.args(), [&](Value *argument) { return read(argument).is_static(); }))
        return nullptr;
    if (!body)
        return nullptr;
    const std::string obstacle = obstacle_to_unfolding(call, *body);
    if (!obstacle.empty())
        engine_.count().left[callee.getName().str()] = obstacle;
    return obstacle.empty() ? body : nullptr;
}

// A structure passed by value is a local of the unfolded function, which begins as a copy of the caller's.
AbstractValue Evaluator::pass_copy(Value *given, Argument &argument, const Context *callee) {
    Object &object = engine_.object(Object::Kind::local, &argument, callee);
    if (!object.base)
        object.base = engine_.residual().local(argument);
    const uint64_t size = layout_.getTypeStoreSize(argument.getParamByValType());
    const AbstractValue from = read(given);
    const std::vector<std::pair<int64_t, Cell>> copied = contents(from, size);
    if (const AbstractValue source = place_behind(from); source.object)
        state_.memory.expose_contents(*source.object);
    builder_.CreateMemCpy(object.base, cast<AllocaInst>(object.base)->getAlign(), residual_of(given),
                          argument.getParamAlign(), size);
    state_.memory.renew(object);
    state_.memory.forget_pointers_to(object);
    for (const auto &[offset, cell] : copied)
        state_.memory.set(object, offset, cell);
    return AbstractValue::pointer(&object, 0);
}

void Evaluator::unfold(CallBase &call, Function &callee) {
    Function &residual = engine_.residual().function();
    if (callee.hasPersonalityFn() && !residual.hasPersonalityFn())
        residual.setPersonalityFn(callee.getPersonalityFn());
    AttributeFuncs::mergeAttributesForInlining(residual, callee);
    ++engine_.count().unfolded;
    engine_.count().resolved += !isa<Constant>(call.getCalledOperand());
    const Context *inner = engine_.environment().contexts.callee(state_.context, &call, callee);
    std::vector<std::pair<Place, AbstractValue>> taken;
    for (Argument &argument : callee.args()) {
        Value *given = call.getArgOperand(argument.getArgNo());
        const Place place{inner->id, inner->info->number_of(&argument)};
        const AbstractValue value = argument.hasByValAttr() ? pass_copy(given, argument, inner) : read(given);
        if (!value.is_static())
            builder_.CreateStore(residual_of(given), engine_.residual().variable(place, argument.getType()));
        taken.emplace_back(place, value);
    }
    State state = state_;
    state.context = inner;
    for (const auto &[place, value] : taken)
        state.set(place, value);
    go_on(builder_.GetInsertBlock(), std::move(state), callee.getEntryBlock().getFirstNonPHI());
}

// Coroutines hand on to each other by calls that take the caller's place, any number of them one after the other. In the root, and in what
// is unfolded in place of its own such calls, they still do. What is unfolded at an ordinary call returns there: the stack is deeper by the
// root's frame then, once, for the functions that it leads to are the original ones.
bool Evaluator::stays_tail_call(const CallBase &call) const {
    bool all = call.isMustTailCall();
    for (const Context *context = state_.context; all && context->call; context = context->caller)
        all = context->call->isMustTailCall();
    return all;
}

// What the counted run never entered reports an error, say, and leads to much (GLib's g_log): the layer neither holds that nor goes on behind it. Where
// the caller was not entered either, nothing is known of how often this happens, and a line's handlers are what its plan says.
bool Evaluator::leaves_in_front_of(const CallBase &call, const Function &callee) const {
    return !state_.generic && !engine_.environment().body && was_never_entered(callee) &&
           !was_never_entered(*call.getFunction());
}

bool Evaluator::call(Instruction &instruction) {
    auto &call = cast<CallBase>(instruction);
    bool goes_on = true;
    if (intrinsic(call, goes_on))
        return goes_on;
    Function *callee = callee_of(call);
    if (!isa<InvokeInst>(call) && fold_call(call, callee))
        return true;
    if (callee && leaves_in_front_of(call, *callee)) {
        engine_.leave(entry_, builder_.GetInsertBlock(), std::move(state_), &call);
        return false;
    }
    if (Function *body = callee ? body_of(call, *callee) : nullptr) {
        unfold(call, *body);
        return false;
    }
    tell_call(call, callee);
    if (stays_tail_call(call)) {
        stay_out_of_line(*cast<CallBase>(emit(call, true)));
        builder_.CreateRetVoid();
        return false;
    }
    if (const Catcher catcher = catcher_of(call, callee); catcher.invoke)
        return invoke_residual(call, callee, catcher);
    return call_residual(call, callee);
}

// What the called code may have done to memory.
void Evaluator::forget_after(CallBase &call, Function *callee) {
    MemoryEffects effects = call.getMemoryEffects();
    if (callee)
        effects &= callee->getMemoryEffects();
    const bool keeps_nothing = effects.onlyReadsMemory() && call.doesNotThrow() && call.getType()->isVoidTy();
    for (unsigned i = 0; i < call.arg_size(); ++i) {
        const AbstractValue value = read(call.getArgOperand(i));
        if (!value.object || keeps_nothing)
            continue;
        const bool captured =
            !call.doesNotCapture(i) && !(callee && i < callee->arg_size() && callee->getArg(i)->hasNoCaptureAttr());
        if (captured)
            state_.memory.expose(*value.object);
        else
            state_.memory.expose_contents(*value.object);
    }
    if (effects.onlyReadsMemory() || effects.onlyAccessesInaccessibleMem())
        return;
    for (unsigned i = 0; i < call.arg_size(); ++i)
        if (call.getArgOperand(i)->getType()->isPointerTy() && !call.onlyReadsMemory(i))
            write_to(read(call.getArgOperand(i)), std::nullopt);
    if (!effects.onlyAccessesInaccessibleOrArgMem())
        forget_all_exposed();
}

void Evaluator::define_result(CallBase &call, Value *result) {
    if (call.getType()->isVoidTy())
        return;
    if (!call.getType()->isPointerTy() || isa<Constant>(result))
        return define_dynamic(call, result);
    const auto kind = call.returnDoesNotAlias() ? Object::Kind::fresh : Object::Kind::loaded;
    Object &object = engine_.object(kind, &call, state_.context);
    rebind(object, result);
    engine_.expected_behind(object).clear();
    define(call, AbstractValue::pointer(&object, 0));
}

// What was called by a function that its author keeps out of line does not become part of what that has become part of.
void Evaluator::stay_out_of_line(CallBase &copy) const {
    if (!isa<IntrinsicInst>(copy) && is_inside_of_what_is_kept_out_of_line(*state_.context))
        copy.setIsNoInline();
}

bool Evaluator::call_residual(CallBase &call, Function *callee) {
    auto *copy = cast<CallBase>(emit(call, false));
    stay_out_of_line(*copy);
    forget_after(call, callee);
    const bool pure =
        call.doesNotAccessMemory() && call.willReturn() && call.doesNotThrow() && !call.getType()->isVoidTy();
    Value *simple = pure ? simplifyInstruction(copy, query()) : nullptr;
    if (simple && simple != copy) {
        copy->eraseFromParent();
        define_result(call, simple);
        return true;
    }
    define_result(call, copy);
    const ExpectedValue *fact = state_.generic ? nullptr : engine_.facts().of_result(&call);
    return !fact || ends_after_test(call, copy, *fact, {});
}

}  // namespace thalweg::transform::specializer
