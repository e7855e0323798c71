// transform: facts found again in this module, and their values as constants of the right type.
#include "transform/specializer/facts.h"

#include "llvm/IR/Dominators.h"

#include "transform/site/fact_call.h"
#include "transform/specializer/rounds.h"

namespace thalweg::transform::specializer {

using namespace llvm;

namespace {

constexpr uint64_t largest_truth_value = 1;

// Null when the value can't be one of this type in this module.
Constant *constant_of(const model::FactValue &value, Type *type, Module &module) {
    LLVMContext &context = module.getContext();
    if (!value.symbol.empty()) {
        GlobalValue *symbol = module.getNamedValue(value.symbol);
        if (!symbol || symbol->isThreadLocal() || !type->isPointerTy())
            return nullptr;
        Constant *offset = ConstantInt::get(Type::getInt64Ty(context), value.bits);
        return value.bits == 0 ? symbol : ConstantExpr::getGetElementPtr(Type::getInt8Ty(context), symbol, offset);
    }
    if (type->isPointerTy())
        return value.bits == 0 ? ConstantPointerNull::get(cast<PointerType>(type)) : nullptr;
    if (auto *integer = dyn_cast<IntegerType>(type); integer && integer->getBitWidth() <= 64)
        return ConstantInt::get(context, APInt(64, value.bits).zextOrTrunc(integer->getBitWidth()));
    return nullptr;
}

}  // namespace

Facts::Facts(const model::Decision &decision, Function &root, Choice choice, const RecordedBodies &bodies)
    : module_(*root.getParent()), bodies_(bodies), are_recorded_(decision.provenance == model::Provenance::recorded),
      choice_(choice) {
    for (const model::Fact &fact : decision.facts()) {
        if (fact.values.size() > choice.most_values)
            continue;
        values_ = std::max(values_, fact.values.size());
        if (const std::string misfit = add(fact, root); !misfit.empty())
            misfits_.push_back(misfit);
    }
}

ExpectedValue Facts::resolve(const model::Fact &fact, Type *type) const {
    ExpectedValue expected;
    expected.trusted = fact.trusted && fact.values.size() == 1;
    for (const model::FactValue &value : fact.values)
        if (Constant *constant = constant_of(value, type, module_); constant)
            if (!is_contained(expected.values, constant))
                expected.values.push_back(constant);
    return expected;
}

std::string Facts::add(const model::Fact &fact, Function &root) {
    Function *function = module_.getFunction(fact.function);
    if (!function || function->isDeclaration())
        return fmt::format("there is no function {}", fact.function);
    if (std::string misfit = bodies_.misfit(*function, fact.body_hash); !misfit.empty())
        return misfit;
    if (fact.kind == model::FactKind::load)
        return add_load(fact, *function);
    if (fact.kind == model::FactKind::result)
        return add_result(fact, *function);
    if (function != &root)
        return {};  // an argument of a layer: its caller's facts give it
    if (fact.ordinal >= root.arg_size())
        return fmt::format("{} has {} arguments, the fact is of number {}", fact.function, root.arg_size(),
                           fact.ordinal);
    if (fact.kind == model::FactKind::memory) {
        behind_arguments_[fact.ordinal].push_back({fact.path, &fact});
        ++memory_facts_;
        return {};
    }
    ExpectedValue expected = resolve(fact, root.getArg(fact.ordinal)->getType());
    if (expected.values.empty())
        return fmt::format("argument {} of {} cannot have the value", fact.ordinal, fact.function);
    if (is_left_out(expected, *root.getArg(fact.ordinal), root))
        return {};
    arguments_[fact.ordinal] = std::move(expected);
    return {};
}

// The next input is as large as it likes: a picture has another width, another number of descriptors is ready.
bool Facts::is_left_out(const ExpectedValue &expected, const Value &value, Function &function) {
    const auto all_are_numbers_above = [&](uint64_t bound) {
        return all_of(expected.values, [bound](const Constant *one) {
            const auto *number = dyn_cast<ConstantInt>(one);
            return number && number->getValue().ugt(bound) && !number->isMinusOne();
        });
    };
    if (!are_recorded_ || !all_are_numbers_above(largest_truth_value))
        return false;
    const auto [known, is_new] = loops_.try_emplace(&function);
    if (is_new)
        known->second.analyze(DominatorTree(function));
    const NumberUse use = use_of_number(value, known->second);
    if (use == NumberUse::decides)
        return false;
    const bool is_large = all_are_numbers_above(many_rounds);
    if (use == NumberUse::ends_loops && is_large) {
        ++numbers_of_rounds_;
        return true;
    }
    if (choice_.doubtful < (is_large ? Doubtful::all : Doubtful::small))
        return true;
    ++doubtful_;
    return false;
}

std::string Facts::add_load(const model::Fact &fact, Function &function) {
    uint32_t number = 0;
    for (BasicBlock &block : function)
        for (Instruction &instruction : block) {
            if (!isa<LoadInst>(instruction) || number++ != fact.ordinal)
                continue;
            ExpectedValue expected = resolve(fact, instruction.getType());
            if (expected.values.empty())
                return fmt::format("load {} of {} cannot have the value", fact.ordinal, fact.function);
            if (is_left_out(expected, instruction, function))
                return {};
            const CallBase *call = nullptr;
            if (fact.call) {
                Result<CallBase *> found = call_of(*fact.call, function);
                if (!found)
                    return found.error().message;
                call = *found;
            }
            loads_[{&instruction, call}] = std::move(expected);
            loading_.insert(&function);
            return {};
        }
    return fmt::format("{} has {} loads, the fact is of number {}", fact.function, number, fact.ordinal);
}

std::string Facts::add_result(const model::Fact &fact, Function &function) {
    const std::vector<CallBase *> calls = calls_in_order(function);
    if (fact.ordinal >= calls.size())
        return fmt::format("{} has {} calls, the fact is of number {}", fact.function, calls.size(), fact.ordinal);
    CallBase &call = *calls[fact.ordinal];
    // A pointer would stand for what it leads to.
    if (!isa<CallInst>(call) || !call.getType()->isIntegerTy() || call.isMustTailCall())
        return fmt::format("call {} of {} gives no number that could be tested", fact.ordinal, fact.function);
    ExpectedValue expected = resolve(fact, call.getType());
    if (expected.values.empty())
        return fmt::format("the result of call {} of {} cannot have the value", fact.ordinal, fact.function);
    if (is_left_out(expected, call, function))
        return {};
    results_[&call] = std::move(expected);
    loading_.insert(&function);
    return {};
}

Result<CallBase *> Facts::call_of(const model::FactCall &place, const Function &callee) const {
    Function *caller = module_.getFunction(place.caller);
    if (!caller || caller->isDeclaration())
        return fail(ErrorCode::does_not_fit, "there is no function {}", place.caller);
    if (const std::string misfit = bodies_.misfit(*caller, place.body_hash); !misfit.empty())
        return fail(ErrorCode::does_not_fit, "{}", misfit);
    const std::vector<CallBase *> calls = calls_in_order(*caller);
    if (place.ordinal < calls.size() && calls[place.ordinal]->getCalledFunction() == &callee)
        return calls[place.ordinal];
    return fail(ErrorCode::does_not_fit, "call {} of {} is not one of {}", place.ordinal, place.caller,
                callee.getName().str());
}

const ExpectedValue *Facts::of_load(const Instruction *load, const CallBase *call) const {
    auto found = loads_.find({load, call});
    if (found == loads_.end())
        found = loads_.find({load, nullptr});
    return found == loads_.end() ? nullptr : &found->second;
}

const ExpectedValue *Facts::of_result(const Instruction *call) const {
    const auto found = results_.find(call);
    return found == results_.end() ? nullptr : &found->second;
}

const std::vector<MemoryFact> &Facts::behind_argument(unsigned argument) const {
    static const std::vector<MemoryFact> none;
    const auto found = behind_arguments_.find(argument);
    return found == behind_arguments_.end() ? none : found->second;
}

ExpectedValue Facts::of_cell(const std::vector<MemoryFact> &facts, int64_t offset, Type *type) const {
    const uint64_t width = module_.getDataLayout().getTypeStoreSize(type);
    for (const MemoryFact &fact : facts)
        if (fact.path.size() == 1 && fact.path.front() == offset && fact.fact->width == width)
            return resolve(*fact.fact, type);
    return {};
}

std::vector<MemoryFact> Facts::behind(const std::vector<MemoryFact> &facts, int64_t offset) {
    std::vector<MemoryFact> rest;
    for (const MemoryFact &fact : facts)
        if (fact.path.size() > 1 && fact.path.front() == offset)
            rest.push_back({{fact.path.begin() + 1, fact.path.end()}, fact.fact});
    return rest;
}

}  // namespace thalweg::transform::specializer
